//! Telling a client that its call is still at work: it waits for another redraft, or a verification runs.
//!
//! Owns who is told, and how often: a client that asked for it (`progressToken`), each second. A call that takes less is not told of.

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// So often it is told.
const EVERY: Duration = Duration::from_secs(1);

/// What a client was told of one request: of all that is done for it, for the numbers may only grow.
pub struct Progress<'c> {
    context: &'c RequestContext<RoleServer>,
    told: Mutex<f64>,
}

impl<'c> Progress<'c> {
    /// Of nothing yet.
    pub fn of(context: &'c RequestContext<RoleServer>) -> Self {
        Self { context, told: Mutex::default() }
    }

    /// Waits for `work`, and tells the client of each second that it takes.
    pub async fn told<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        tokio::select! {
            done = &mut work => done,
            never = self.tell() => match never {},
        }
    }

    /// Tells on and on; where nobody wants to know, it only waits.
    async fn tell(&self) -> Infallible {
        let Some(token) = self.context.meta.get_progress_token() else { return std::future::pending().await };
        loop {
            tokio::time::sleep(EVERY).await;
            let seconds = {
                let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
                *told += EVERY.as_secs_f64();
                *told
            };
            let told = ProgressNotificationParam::new(token.clone(), seconds);
            // A client that does not read is not waited for: this ends with the work.
            _ = self.context.peer.notify_progress(told.with_message(format!("at work for {seconds} s"))).await;
        }
    }
}
