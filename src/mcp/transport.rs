//! Lines of JSON, one a message.
//!
//! Owns how the bytes of messages come and go. Reads and writes on threads of its own.
//! Invariants: no line is longer than [`MOST_BYTES`]; at most [`MOST_OPEN`] calls are open at once, and what comes then waits
//! in the client's pipe; what is no message is answered as JSON-RPC says; a number in use is not used again.

use crate::dialect;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, ErrorData, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Notify, oneshot};

/// Bytes of one line: the largest request, and what JSON adds to it.
const MOST_BYTES: usize = 256 << 20;
/// Calls at once.
const MOST_OPEN: usize = 64;
/// Messages that are read ahead, and answers that wait to be written.
const AHEAD: usize = 16;

/// A line that came.
enum Came {
    Message(Box<ClientJsonRpcMessage>),
    /// No message: what is to be said of it.
    Fault(Value),
}

/// What a client writes, and what it reads.
pub struct Lines {
    incoming: Receiver<Came>,
    outgoing: Option<Sender<Line>>,
    open: Arc<Open>,
    /// Whether the client has asked for something that begins its era.
    has_begun: bool,
    written: Option<oneshot::Receiver<()>>,
    /// What is still to be said of a line that was no message.
    untold: Option<Value>,
}

type Line = Vec<u8>;

/// The calls that are not answered yet.
#[derive(Default)]
struct Open {
    ids: Mutex<HashSet<RequestId>>,
    answered: Notify,
}

impl Open {
    fn ids(&self) -> std::sync::MutexGuard<'_, HashSet<RequestId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self, id: &RequestId) {
        self.ids().remove(id);
        self.answered.notify_one();
    }
}

impl Lines {
    /// Begins to read.
    pub fn open(input: impl Read + Send + 'static, mut out: impl Write + Send + 'static) -> Self {
        let (sender, incoming) = channel(AHEAD);
        std::thread::spawn(move || {
            read_all(BufReader::new(input), MOST_BYTES, |came| sender.blocking_send(came).is_ok());
        });
        let (outgoing, mut lines) = channel::<Line>(AHEAD);
        let (done, written) = oneshot::channel();
        std::thread::spawn(move || {
            while let Some(line) = lines.blocking_recv() {
                if out.write_all(&line).and_then(|()| out.flush()).is_err() {
                    break;
                }
            }
            _ = done.send(());
        });
        Self {
            incoming,
            outgoing: Some(outgoing),
            open: Arc::default(),
            has_begun: false,
            written: Some(written),
            untold: None,
        }
    }

    /// Says what is to be said of a line that was no message. May be dropped half-way: then it is said the next time.
    async fn tell(&mut self) {
        let Some(outgoing) = &self.outgoing else { return };
        if self.untold.is_some()
            && let Ok(place) = outgoing.reserve().await
            && let Some(fault) = self.untold.take()
        {
            place.send(line_of(&fault));
        }
    }

    /// Whether the message goes on; a call with a number in use does not.
    fn admit(&mut self, message: &ClientJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Request(request) => {
                let is_probe =
                    matches!(request.request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_));
                self.has_begun |= !is_probe;
                let is_new = self.open.ids().insert(request.id.clone());
                if !is_new {
                    let text = format!("the id {} is that of a request which is not answered yet", request.id);
                    self.untold = Some(fault(ErrorCode::INVALID_REQUEST, &text, Value::Null));
                }
                is_new
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.close(id);
                }
                // Before an era has begun there is nothing that one could be about.
                self.has_begun
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => self.has_begun,
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let (outgoing, open) = (self.outgoing.clone(), Arc::clone(&self.open));
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let answered = match &item {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            let sent = outgoing.ok_or_else(closed)?.send(line_of(&item)).await;
            if let Some(id) = answered {
                open.close(&id);
            }
            sent.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // This future may be dropped at every await, but none stands between what comes in and what is made of it.
            self.tell().await;
            while self.open.ids().len() >= MOST_OPEN {
                self.open.answered.notified().await;
            }
            match self.incoming.recv().await? {
                Came::Message(message) => {
                    if self.admit(&message) {
                        return Some(*message);
                    }
                }
                Came::Fault(fault) => self.untold = Some(fault),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        drop(self.outgoing.take());
        if let Some(written) = self.written.take() {
            _ = tokio::time::timeout(std::time::Duration::from_secs(5), written).await;
        }
        Ok(())
    }
}

/// Gives every line to `take`, until there is none or `take` wants no more.
fn read_all(mut input: impl BufRead, most: usize, mut take: impl FnMut(Came) -> bool) {
    loop {
        let mut line = Vec::new();
        let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
        match input.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let is_whole = line.last() == Some(&b'\n');
        if !is_whole && line.len() > most {
            let text = format!("a line has more than {most} bytes");
            let goes_on = take(Came::Fault(fault(ErrorCode::INVALID_REQUEST, &text, Value::Null)));
            if !goes_on || input.skip_until(b'\n').is_err() {
                return;
            }
            continue;
        }
        if !line.trim_ascii().is_empty() && !came(&line).is_none_or(&mut take) {
            return;
        }
    }
}

/// What a line is; none where it is a notification that nobody understands, which is not answered.
fn came(line: &[u8]) -> Option<Came> {
    match serde_json::from_slice(line) {
        Ok(message) => {
            // Which of two values is meant nobody knows; what is no request is not answered, whatever it is.
            let is_request = matches!(message, JsonRpcMessage::Request(_));
            let why = if is_request { dialect::other_than_json(line) } else { None };
            Some(match why {
                None => Came::Message(Box::new(message)),
                Some(why) => Came::Fault(fault(ErrorCode::INVALID_PARAMS, &format!("{why}; {AGAIN}"), id_of(line))),
            })
        }
        Err(error) => what_is_wrong(line, &error.to_string()).map(Came::Fault),
    }
}

const AGAIN: &str = "correct that, and send it again";

/// The id of a message that cannot be read, for the client to know which of its calls it is.
fn id_of(line: &[u8]) -> Value {
    dialect::id_of(line).filter(|id| id.is_string() || id.is_i64()).unwrap_or(Value::Null)
}

fn what_is_wrong(line: &[u8], why: &str) -> Option<Value> {
    let message = match serde_json::from_slice::<Value>(line) {
        Err(error) => {
            return Some(fault(ErrorCode::PARSE_ERROR, &format!("no JSON: {error}; {AGAIN}"), id_of(line)));
        }
        Ok(Value::Object(message)) => message,
        Ok(_) => {
            let text = "a message is one JSON object; lists of messages are not taken";
            return Some(fault(ErrorCode::INVALID_REQUEST, text, Value::Null));
        }
    };
    let id = message.get("id").filter(|id| id.is_string() || id.is_i64()).cloned();
    if id.is_none() && !message.contains_key("id") && message.contains_key("method") {
        return None;
    }
    let is_request =
        message.get("jsonrpc") == Some(&json!("2.0")) && message.get("method").is_some_and(Value::is_string);
    let code = if is_request && id.is_some() { ErrorCode::INVALID_PARAMS } else { ErrorCode::INVALID_REQUEST };
    Some(fault(code, why, id.unwrap_or(Value::Null)))
}

fn fault(code: ErrorCode, text: &str, id: Value) -> Value {
    let error = ErrorData::new(code, text.to_owned(), None);
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

fn line_of(message: &impl serde::Serialize) -> Line {
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &str, most: usize) -> Vec<Value> {
        let mut found = Vec::new();
        read_all(input.as_bytes(), most, |came| {
            found.push(match came {
                Came::Message(message) => json!(serde_json::to_value(message).expect("JSON")["id"]),
                Came::Fault(fault) => fault["error"]["code"].clone(),
            });
            true
        });
        found
    }

    #[test]
    fn every_line_is_a_message_or_a_fault_and_the_next_one_is_read() {
        let ping = |id: u8| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
        let input = format!("{}\n\n{{]\n[]\n{{\"id\":1}}\n{}\r\n{}", ping(1), ping(2), ping(3));
        assert_eq!(all(&input, 100), [json!(1), json!(-32700), json!(-32600), json!(-32600), json!(2), json!(3)]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let input = format!("\"{}\"\n{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}}\n", "x".repeat(5_000));
        assert_eq!(all(&input, 100), [json!(-32600), json!(7)]);
        assert_eq!(all(&"x".repeat(500), 100), [json!(-32600)]);
    }

    #[test]
    fn what_is_no_json_is_told_under_its_id_where_that_can_be_read() {
        let call =
            |rest: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{{{rest}}}}}\n");
        let half = call(r#""name":"edit","arguments":{"path":"a","old_string":"\ud800","new_string":""}"#);
        let twice = call(r#""name":"edit","arguments":{"path":"a","old_string":"1","old_string":"2","new_string":""}"#);
        let told =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"method\":\"notifications/initialized\"}\n";
        assert!(!matches!(came(told.as_bytes()), Some(Came::Fault(_))), "a notification is not answered");
        for (line, code, words) in [(half, -32700, "hex escape"), (twice, -32602, "old_string")] {
            let Some(Came::Fault(fault)) = came(line.as_bytes()) else { panic!("{line}") };
            assert_eq!((&fault["id"], &fault["error"]["code"]), (&json!(7), &json!(code)), "{fault}");
            assert!(fault["error"]["message"].as_str().is_some_and(|message| message.contains(words)), "{fault}");
        }
    }

    #[test]
    fn a_notification_that_nobody_understands_is_not_answered() {
        let bad = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":5}\n";
        assert_eq!(all(bad, 1_000), Vec::<Value>::new());
    }
}
