//! Computes the levels that a table can reach. No search is required; see [`indistinct_advice`].

use indistinct_advice::{Coarsest, advise_at_coarsest};
pub use indistinct_answers::advice::*;
pub use indistinct_text::advice as text;

use crate::Values;
use crate::error::Error;
use crate::job::Job;

/// Returns the HTML page of the advice.
pub fn page(advice: &Advice) -> String {
    indistinct_render::page(&text::describe_advice(advice))
}

/// Returns the best level that any recoding of the job's table could reach, for each principle of
/// its policy and for each sensitive attribute.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not match the policy.
pub fn advise(job: &Job, values: Values) -> Result<Advice, Error> {
    job.run(|observer| {
        let bound = job.bound();
        if job.population_path().is_some() {
            return Ok(indistinct_advice::advise(bound, &job.prepare(observer)?, values)?);
        }
        // With a cache, a request that changes only the parameters of a principle reuses the cached
        // coarsest classes.
        let key = format!("advice {} {}", Coarsest::key(bound), job.key_of_prepared());
        let coarsest = bound.input.cached_answer(key, || {
            let coarsest = Coarsest::new(bound, &*job.prepared(observer)?)?;
            let n_bytes = coarsest.n_bytes();
            Ok::<_, Error>((coarsest, n_bytes))
        })?;
        Ok(advise_at_coarsest(bound, &coarsest, values)?)
    })
}

#[cfg(test)]
mod tests {
    use indistinct_core::Silent;

    use super::*;
    use crate::Session;

    const ROLES: &str = "version = 1\n[input]\npath = \"t.csv\"\n[attributes.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n\
        [attributes.ward]\nrole = \"quasi-identifier\"\n[attributes.illness]\nrole = \"sensitive\"\n\
        hierarchy = { tree = { \"chest\" = [\"asthma\", \"flu\"], \"belly\" = [\"ulcer\", \"gallstones\"] } }\n\
        [attributes.cost]\nrole = \"sensitive\"\n";

    fn principle(kind: &str, rest: &str) -> String {
        format!("[[principles]]\nkind = \"{kind}\"\n{}\n", rest.replace("; ", "\n"))
    }

    /// Advice computed separately for each attribute equals advice computed for the whole table,
    /// and advice that is cached for one policy is not returned for another policy.
    #[test]
    fn advice_by_attribute_matches_advice_for_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut table = String::from("age,ward,illness,cost\n");
        for n in 0..90 {
            let illness = ["asthma", "flu", "flu", "ulcer", "gallstones"][n * n % 5];
            table += &format!("{},{},{illness},{}.5\n", 20 + n * 7 % 60, n % 3, 100 + n * n % 41);
        }
        std::fs::write(folder.path().join("t.csv"), table).expect("written");
        let k = |k: u32| principle("k-anonymity", &format!("k = {k}"));
        let illness =
            |kind: &str, rest: &str| principle(kind, &format!("attribute = \"illness\"; {rest}"));
        let cost =
            |kind: &str, rest: &str| principle(kind, &format!("attribute = \"cost\"; {rest}"));
        let limited = ROLES.replace("intervals = [10] }", "intervals = [10] }\nmax_level = 1");
        let near = cost("epsilon-m-anonymity", "epsilon = 3; m = 4");
        let policies = [
            format!("{ROLES}{}", k(3)),
            format!("{ROLES}{}{}", k(200), illness("distinct-l-diversity", "l = 3")),
            format!("{ROLES}{near}{}{}", k(3), illness("entropy-l-diversity", "l = 2")),
            format!("{ROLES}{near}{}", illness("recursive-diversity", "c = 2; l = 3")),
            format!("{ROLES}{near}{}[output]\nclass_column = \"class\"\n", k(2)),
            format!("{limited}{}{}", cost("k-e-anonymity", "k = 3; e = 5"), k(4)),
            format!("{limited}{}", illness("t-closeness", "t = 0.2")),
            format!(
                "{ROLES}{}",
                illness("distinct-l-diversity", "l = 2; other_sensitive = \"quasi-identifier\"")
            ),
            format!("{ROLES}{}{}", illness("tau-l-diversity", "tau = 0.5; l = 2"), near),
            format!(
                "{ROLES}{}[recoding]\nmethod = \"sweep\"\n",
                illness("tau-l-diversity", "tau = 0.5; l = 2; weights = \"domain\"")
            ),
        ];
        let mut n_requested = 0;
        let mut retained: Vec<(String, Coarsest)> = Vec::new();
        for _ in 0..2 {
            for text in &policies {
                let path = folder.path().join("p.toml");
                std::fs::write(&path, text).expect("written");
                let job = Session::default()
                    .open(&path, None)
                    .unwrap_or_else(|error| panic!("{text}\n{error}"));
                let prepared = job.prepare(&Silent).unwrap_or_else(|it| panic!("{text}\n{it}"));
                let key = format!("{} {}", Coarsest::key(job.bound()), job.key_of_prepared());
                if !retained.iter().any(|(own, _)| *own == key) {
                    let coarsest = Coarsest::new(job.bound(), &prepared).expect("levels");
                    retained.push((key.clone(), coarsest));
                }
                let coarsest = &retained.iter().find(|(own, _)| *own == key).expect("kept").1;
                for values in [Values::Shown, Values::Hidden] {
                    let whole = indistinct_advice::advise(job.bound(), &prepared, values);
                    let by_parts = advise_at_coarsest(job.bound(), coarsest, values);
                    assert_eq!(by_parts.expect("advice"), whole.expect("advice"), "{text}");
                    n_requested += 1;
                }
            }
        }
        assert_eq!(
            (n_requested, retained.len()),
            (40, 3),
            "each set of attributes and methods is requested once"
        );
    }
}
