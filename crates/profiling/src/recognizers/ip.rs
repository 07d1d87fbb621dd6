//! IP addresses.

use std::net::IpAddr;

use super::*;

/// Recognizes IPv4 and IPv6 addresses, with or without a port or prefix length.
pub static IP: Kind = Kind {
    name: "ip",
    plural: "IP addresses",
    hipaa: Some(Item::Ip),
    evidence: Evidence { alone: 0.3, named: 0.05, least: 3 },
    fits,
    fits_within: |_, piece| fits(&piece.cell).then_some(Clue::Form),
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let text = cell.text.split('/').next().unwrap_or_default();
    let without_port = match text.rsplit_once(':') {
        Some((host, port)) if host.contains('.') && port.parse::<u16>().is_ok() => host,
        _ => text,
    };
    let has_separators = without_port.matches(['.', ':']).count() >= 2;
    has_separators && without_port.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn ipv4_and_ipv6_addresses_are_recognized() {
        for value in ["192.0.2.17", "192.0.2.17:8080", "192.0.2.0/24", "2001:db8::1"] {
            assert!(fits(&IP, value), "{value}");
        }
        for value in ["192.0.2", "1.2.3.456", "12:30:00", "1.234.567,89"] {
            assert!(!fits(&IP, value), "{value}");
        }
    }
}
