//! The data holder's copy of the policy in the private directory. This copy is sufficient to match
//! the release with its original later.

use std::path::Path;

use indistinct_core::hierarchy::{HierarchyRule, to_arx_csv};
use indistinct_core::{Dictionary, Role};
use indistinct_engine::output::write_private_file;
use indistinct_engine::{placed, scheme};

use crate::error::Error;
use crate::files;
use crate::job::Job;

/// Writes the policy and the hierarchies that it names. The copy depends on no file outside the
/// folder except the tables, which it refers to by absolute path.
pub(crate) fn write_copy(job: &Job, folder: &Path) -> Result<(), Error> {
    let named = |rule: &&(String, HierarchyRule)| matches!(rule.1, HierarchyRule::Arx(_));
    for (name, rule) in job.bound().rules.iter().chain(&job.bound().taxonomies).filter(named) {
        let (nothing, _) = Dictionary::from_distinct(Vec::new());
        let whole = rule.resolve(name, &nothing)?;
        let path = folder.join(files::hierarchy(name));
        path.parent().map_or(Ok(()), files::create_folder)?;
        write_private_file(&path, to_arx_csv(&whole).as_bytes())?;
    }
    if let Some(plan) = &job.bound().plan {
        for (name, text) in plan.texts(files::PLAN).files {
            write_private_file(&folder.join(name), text.as_bytes())?;
        }
    }
    write_private_file(&folder.join(files::POLICY), policy_copy(job).as_bytes())?;
    Ok(())
}

/// Returns the text of the policy with the new paths of its files.
fn policy_copy(job: &Job) -> String {
    let mut policy: toml::Table =
        toml::from_str(job.policy().text()).expect("the text of the policy is valid TOML");
    let absolute = |path: &Path| {
        if let (Some(address), Ok(folder)) =
            (path.to_str().filter(|it| scheme(it).is_some()), std::env::current_dir())
        {
            return placed(&folder, address).display().to_string();
        }
        if path.as_os_str() == "-" {
            return "-".to_owned();
        }
        std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
    };
    if let Some(input) = policy.get_mut("input").and_then(toml::Value::as_table_mut) {
        match job.bound().input.memory() {
            Some(_) => input.remove("path"),
            None => input.insert("path".to_owned(), absolute(job.input_path()).into()),
        };
    }
    if let Some(seed) = job.policy().recoding.seed {
        // The seed may differ from the seed in the text.
        let recoding = policy.entry("recoding").or_insert_with(|| toml::Table::new().into());
        let seed = i64::try_from(seed).expect("TOML can represent every seed of a policy");
        recoding.as_table_mut().map(|it| it.insert("seed".to_owned(), seed.into()));
    }
    if let (Some(_), Some(recoding)) =
        (&job.bound().plan, policy.get_mut("recoding").and_then(toml::Value::as_table_mut))
    {
        recoding.insert("plan".to_owned(), files::PLAN.into());
    }
    for attribute in &job.policy().attributes {
        let is_counted = matches!(attribute.role, Role::QuasiIdentifier | Role::Sensitive);
        let place = policy
            .get_mut("attributes")
            .and_then(|attributes| attributes.get_mut(&attribute.name))
            .and_then(|attribute| attribute.get_mut("hierarchy"))
            .and_then(|hierarchy| hierarchy.get_mut("csv"));
        if let Some(place) = place.filter(|_| is_counted) {
            *place = files::hierarchy(&attribute.name).into();
        }
    }
    if let (Some(path), Some(principles)) =
        (job.population_path(), policy.get_mut("principles").and_then(toml::Value::as_array_mut))
    {
        for principle in principles {
            if let Some(place) = principle.get_mut("population") {
                *place = absolute(path).into();
            }
        }
    }
    let of_population = job.policy().population.as_ref().and_then(|it| it.path.as_ref());
    let section = policy.get_mut("population").and_then(toml::Value::as_table_mut);
    if let (Some(path), Some(section)) = (of_population, section) {
        let path = absolute(&placed(&job.bound().folder, path));
        section.insert("path".to_owned(), path.into());
    }
    let text = toml::to_string(&policy).expect("a parsed policy can be serialized");
    format!(
        "# The data holder's copy of the policy. Its hierarchies are in the same directory.\n{text}"
    )
}
