//! Computes pieces in parallel and returns them in order.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Maximum number of finished pieces of each thread that are waiting to be consumed.
const AHEAD: usize = 4;

/// Channels between the consumer and a thread.
struct Worker {
    to_consume: Receiver<Vec<u8>>,
    /// Returns used buffers to the thread.
    used: SyncSender<Vec<u8>>,
}

/// Fills buffers with the pieces `0..n_pieces` in `n_threads` threads, and passes the buffers to
/// `consume` in order.
///
/// Memory is bounded because each thread waits until its pieces are consumed and buffers are
/// reused.
///
/// # Errors
/// Returns the first error from `consume` and stops the threads.
pub(super) fn in_order<E>(
    n_pieces: u64,
    n_threads: usize,
    fill: impl Fn(u64, &mut Vec<u8>) + Sync,
    mut consume: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let n_threads = n_threads.max(1) as u64;
    thread::scope(|scope| {
        let workers: Vec<Worker> = (0..n_threads)
            .map(|worker| {
                let (filled, to_consume) = sync_channel::<Vec<u8>>(AHEAD);
                let (used, to_fill) = sync_channel::<Vec<u8>>(AHEAD + 2);
                let fill = &fill;
                scope.spawn(move || {
                    for piece in (worker..n_pieces).step_by(n_threads as usize) {
                        let mut buffer = to_fill.try_recv().unwrap_or_default();
                        buffer.clear();
                        fill(piece, &mut buffer);
                        if filled.send(buffer).is_err() {
                            return;
                        }
                    }
                });
                Worker { to_consume, used }
            })
            .collect();
        for piece in 0..n_pieces {
            let worker = &workers[(piece % n_threads) as usize];
            let Ok(buffer) = worker.to_consume.recv() else {
                break; // the thread panicked, and the scope reports the panic
            };
            consume(&buffer)?;
            let _ = worker.used.try_send(buffer);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(n_threads: usize, n_pieces: u64) -> Vec<u8> {
        let mut out = Vec::new();
        let fill = |piece: u64, buffer: &mut Vec<u8>| {
            buffer.extend(std::iter::repeat_n(piece as u8, piece as usize % 5));
        };
        in_order(n_pieces, n_threads, fill, |bytes| {
            out.extend_from_slice(bytes);
            Ok::<(), ()>(())
        })
        .unwrap();
        out
    }

    #[test]
    fn pipeline_order_does_not_depend_on_threads() {
        for n_pieces in [0, 1, 2, 7, 200] {
            let expected: Vec<u8> = (0..n_pieces)
                .flat_map(|piece| std::iter::repeat_n(piece as u8, piece as usize % 5))
                .collect();
            for n_threads in [1, 2, 3, 8] {
                assert_eq!(pieces(n_threads, n_pieces), expected);
            }
        }
    }

    #[test]
    fn consumer_error_stops_pipeline() {
        let mut consumed = 0;
        let fill = |_: u64, buffer: &mut Vec<u8>| buffer.push(1);
        let result = in_order(1_000_000_000, 2, fill, |_| {
            consumed += 1;
            if consumed == 3 { Err("full") } else { Ok(()) }
        });
        assert_eq!((result, consumed), (Err("full"), 3));
    }
}
