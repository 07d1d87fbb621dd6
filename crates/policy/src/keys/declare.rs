//! Macros that declare the keys of a section.

/// Declares a section: a struct whose fields are keys, in the form `name: Type {Presence}
/// [ValueKind] = default`. If presence and kind are omitted, the type determines them: a key of
/// type `Option` is optional. Fields after `and` are not keys.
macro_rules! section {
    (
        $(#[doc = $doc:literal])+
        $(#[derive $derive:tt])?
        $(#[serde $serde:tt])?
        $name:ident($path:literal) {
            $(
                $(#[doc = $key_doc:literal])+
                $(#[serde $key_serde:tt])?
                $key:ident: $type:ty $({$presence:ident})? $([$kind:expr])? $(= $default:expr)?,
            )+
        }
        $(and { $( $(#[doc = $more_doc:literal])+ $more:ident: $more_type:ty, )+ })?
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        $(#[derive $derive])?
        $(#[serde $serde])?
        pub struct $name {
            $( $(#[doc = $key_doc])+ $(#[serde $key_serde])? pub $key: $type, )+
            $($( $(#[doc = $more_doc])+ pub $more: $more_type, )+)?
        }

        keys! {
            $(#[doc = $doc])+
            $name($path) {
                $(
                    $(#[doc = $key_doc])+
                    $key: $type $({$presence})? $([$kind])? $(= $default)?,
                )+
            }
            $(and { $($more),+ })?
        }
    };
}

/// Declares the keys of a struct that is defined elsewhere.
macro_rules! keys {
    (
        $(#[doc = $doc:literal])+
        $name:ident($path:literal) {
            $(
                $(#[doc = $key_doc:literal])+
                $key:ident: $type:ty $({$presence:ident})? $([$kind:expr])? $(= $default:expr)?,
            )+
        }
        $(and { $($more:ident),+ })?
    ) => {
        impl $crate::walk::KeyTable for $name {
            const SPEC: &'static $crate::keys::TableSpec = {
                static SPEC: $crate::keys::TableSpec = $crate::keys::TableSpec {
                    path: $path,
                    doc: concat!($($doc),+).trim_ascii_start(),
                    keys: &[$(
                        $crate::keys::KeySpec {
                            name: stringify!($key),
                            kind: kind_of!($type $(, $kind)?),
                            presence: presence_of!($type $(, {$presence})? $(, = $default)?),
                            doc: concat!($($key_doc),+).trim_ascii_start(),
                        },
                    )+],
                };
                &SPEC
            };

            fn read(section: &$crate::walk::Section<'_>) -> Self {
                Self {
                    $(
                        $key: section
                            .read(stringify!($key))
                            .unwrap_or_else(|| default_of!($type $(, $default)?)),
                    )+
                    $($($more: Default::default(),)+)?
                }
            }

            fn entries(&self) -> Vec<(&'static str, toml_edit::Value)> {
                let all = [$(
                    (stringify!($key), $crate::value::KeyValue::write(&self.$key)),
                )+];
                all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
            }
        }
    };
}

macro_rules! kind_of {
    ($type:ty) => {
        <$type as $crate::value::KeyValue>::KIND
    };
    ($type:ty, $kind:expr) => {
        $kind
    };
}

macro_rules! presence_of {
    ($type:ty) => {
        <$type as $crate::value::KeyValue>::PRESENCE
    };
    ($type:ty, {$presence:ident}) => {
        $crate::keys::Presence::$presence
    };
    ($type:ty, = $default:expr) => {
        $crate::keys::Presence::Default(|| {
            let default: $type = $default;
            $crate::value::KeyValue::write(&default).expect("the default is a value")
        })
    };
}

macro_rules! default_of {
    ($type:ty) => {
        <$type as $crate::value::KeyValue>::absent()
    };
    ($type:ty, $default:expr) => {
        $default
    };
}
