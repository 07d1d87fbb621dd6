//! Enumerations whose variants have names.

/// An enumeration that [`words!`](crate::words!) declares.
pub trait Word: Copy + PartialEq + 'static {
    /// The variant, name, and description of each word, in the order of the documentation.
    const WORDS: &'static [(Self, &'static str, &'static str)];
}

/// Declares enumerations whose variants have names in policies, certificates, and commands. The
/// documentation of a variant is also the documentation of its name. `{default}` after a name
/// marks the default of an enumeration that derives `Default`.
///
/// ```
/// use indistinct_diagnostics::words;
///
/// words! {
///     /// How to serve a soup.
///     pub enum Serving {
///         /// In a bowl.
///         Bowl = "bowl",
///         /// In a deep
///         /// plate.
///         DeepPlate = "deep-plate",
///     }
/// }
///
/// assert_eq!(Serving::DeepPlate.name(), "deep-plate");
/// assert_eq!(Serving::DeepPlate.doc(), "In a deep plate.");
/// assert_eq!(Serving::named("bowl"), Some(Serving::Bowl));
/// assert_eq!(Serving::named("cup"), None);
/// assert_eq!(Serving::NAMES, ["bowl", "deep-plate"]);
/// ```
#[macro_export]
macro_rules! words {
    ($(
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[doc = $doc:literal])+ $variant:ident = $word:literal $({$default:ident})?,)+
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $vis enum $name {
            $($(#[doc = $doc])+ $(#[$default])? $variant,)+
        }

        impl $crate::Word for $name {
            const WORDS: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$variant, $word, concat!($($doc),+).trim_ascii_start()),)+];
        }

        #[allow(dead_code)]
        impl $name {
            /// The names of all variants, in the order of the documentation.
            pub const NAMES: &'static [&'static str] = &[$($word),+];
            /// All variants, in the order of the documentation.
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$variant),+];

            /// Returns the name of the variant.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Returns the documentation of the variant.
            pub fn doc(self) -> &'static str {
                <Self as $crate::Word>::WORDS[self as usize].2
            }

            /// Returns the variant with the given name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|it| it.name() == name)
            }
        }
    )+};
}
