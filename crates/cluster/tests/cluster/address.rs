//! A proxy address that forwards to changing schedulers.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A proxy for connections. A change of the destination closes all connections immediately, before
/// a client retries.
pub struct Address {
    pub name: String,
    leads: Arc<Mutex<Leads>>,
}

struct Leads {
    to: String,
    open: Vec<TcpStream>,
}

impl Address {
    /// Creates an address that forwards to a scheduler until the test program exits.
    pub fn leading_to(scheduler: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let name = listener.local_addr().expect("its address").to_string();
        let leads = Leads { to: scheduler.to_owned(), open: Vec::new() };
        let this = Self { name, leads: Arc::new(Mutex::new(leads)) };
        let leads = Arc::clone(&this.leads);
        std::thread::spawn(move || {
            for here in listener.incoming().map_while(Result::ok) {
                let mut leads = leads.lock().expect("no thread panics while holding the lock");
                let Ok(there) = TcpStream::connect(&leads.to) else { continue };
                for (from, to) in [(&here, &there), (&there, &here)] {
                    let (mut from, mut to) = (copy(from), copy(to));
                    std::thread::spawn(move || {
                        let _ = io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
                leads.open.extend([here, there]);
            }
        });
        this
    }

    /// Changes the destination of the address.
    pub fn lead_to(&self, scheduler: &str) {
        let mut leads = self.leads.lock().expect("no thread panics while holding the lock");
        leads.to = scheduler.to_owned();
        for stream in leads.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn copy(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a handle")
}
