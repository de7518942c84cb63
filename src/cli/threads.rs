//! Starts the threads that share work, as many as the system allows.

use std::io::Error;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// A thread that waits for its place in the pool, and ends without one.
struct WaitingThread {
    place: Sender<ThreadBuilder>,
    thread: JoinHandle<()>,
}

/// Starts the worker threads: one per core, or just one; if the system allows none, the main thread does all the work.
/// Returns whether there are workers.
pub fn start_threads() -> bool {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // A pool that failed cannot be made again, so its threads are started before it, and one more that others may need.
    let mut waiting = Vec::new();
    while waiting.len() <= cores
        && let Some(thread) = start_waiting()
    {
        waiting.push(thread);
    }
    let workers = match waiting.len() {
        0 | 1 => 0,
        count if count <= cores => 1,
        _ => cores,
    };
    for WaitingThread { place, thread } in waiting.drain(workers..) {
        drop(place);
        let _ = thread.join();
    }
    let pool = ThreadPoolBuilder::new().num_threads(workers.max(1));
    // Fails where tests have made one already.
    let _ = if workers == 0 {
        pool.use_current_thread().build_global()
    } else {
        let give_place = move |place: ThreadBuilder| {
            let next = waiting.pop().ok_or_else(|| Error::other("no thread"))?;
            next.place.send(place).map_err(|_| Error::other("the thread has ended"))
        };
        pool.spawn_handler(give_place).build_global()
    };
    workers > 0
}

fn start_waiting() -> Option<WaitingThread> {
    let (place, wait) = channel::<ThreadBuilder>();
    let work = move || {
        if let Ok(place) = wait.recv() {
            place.run();
        }
    };
    Some(WaitingThread { place, thread: thread::Builder::new().spawn(work).ok()? })
}
