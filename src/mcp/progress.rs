//! Telling a client that its call is still at work: it waits for another redraft, or a verification runs.
//!
//! Owns who is told, and how often: a client that asked for it (`progressToken`), each second. A call that takes less is not told of.

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// So often it is told.
const EVERY: Duration = Duration::from_secs(1);

/// Waits for `work`, and tells the client of each second that it takes.
pub async fn told<T>(context: &RequestContext<RoleServer>, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let Some(token) = context.meta.get_progress_token() else { return work.await };
    let mut seconds = 0.0;
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(EVERY) => {
                seconds += EVERY.as_secs_f64();
                let told = ProgressNotificationParam::new(token.clone(), seconds);
                let told = told.with_message(format!("at work for {seconds} s"));
                // A client that does not read is not waited for.
                _ = tokio::time::timeout(EVERY, context.peer.notify_progress(told)).await;
            }
        }
    }
}
