//! The registry of methods.

use crate::anatomy::AnatomyMethod;
use crate::curve::CurveMethod;
use crate::full_domain::FullDomainMethod;
use crate::invariant::InvariantMethod;
use crate::masking::MaskingMethod;
use crate::method::Method;
use crate::microaggregation::MicroaggregationMethod;
use crate::multidimensional::MultidimensionalMethod;
use crate::partition::PartitionMethod;
use crate::perturbation::PerturbationMethod;
use crate::planned::PlannedMethod;
use crate::policy;
use crate::sweep::SweepMethod;

/// The methods that a policy may use.
#[derive(Debug, Clone)]
pub struct Registry {
    methods: Vec<&'static dyn Method>,
}

impl Registry {
    /// Returns all built-in methods of Indistinct.
    pub fn standard() -> Self {
        Self {
            methods: vec![
                &FullDomainMethod,
                &MultidimensionalMethod,
                &CurveMethod,
                &PartitionMethod,
                &MicroaggregationMethod,
                &SweepMethod,
                &AnatomyMethod,
                &PerturbationMethod,
                &MaskingMethod,
                &PlannedMethod,
                &InvariantMethod,
            ],
        }
    }

    /// Adds a method to the registry.
    #[must_use]
    pub fn with(mut self, method: &'static dyn Method) -> Self {
        self.methods.push(method);
        self
    }

    /// Returns the kinds of all registered methods.
    pub fn kinds(&self) -> Vec<policy::Method> {
        self.methods.iter().map(|method| method.kind()).collect()
    }

    /// Returns the method of a kind.
    ///
    /// # Panics
    /// Panics if the registry does not contain the method.
    pub fn of_kind(&self, kind: policy::Method) -> &'static dyn Method {
        let found = self.methods.iter().find(|method| method.kind() == kind);
        *found.expect("the registry contains the method of every policy")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_based_methods_have_unique_messages() {
        let methods = Registry::standard().methods;
        let mut message: Vec<&str> = methods.iter().filter_map(|it| it.words().chosen).collect();
        assert_eq!(message.len() + 1, methods.len(), "only full-domain has no custom text");
        message.sort_unstable();
        message.dedup();
        assert_eq!(message.len() + 1, methods.len(), "two methods have the same text");
    }
}
