//! What a person must say yes to, where the configuration wants that: asked through the client, in both eras of the protocol.
//!
//! Owns how the question gets there and back. A yes is for the diff that was shown, by its digest, so that it may come with a
//! later call, from anybody: for another diff it is none.

use super::answer::ToolAnswer;
use crate::git::blob_id;
use crate::usecase::Reply;
use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult,
    InputResponses,
};
use rmcp::service::RequestContext;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

/// The name of the question, and of the field of its answer.
const QUESTION: &str = "confirm";
/// So long a person may think.
const PATIENCE: Duration = Duration::from_secs(600);
/// Bytes of the diff that a question shows.
const SHOWN: usize = 6_000;
/// The same, where the model has to pass it on.
const SHOWN_TO_MODEL: usize = 1_000;

/// What is known of a person's will before a call is done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Will {
    /// Nothing.
    #[default]
    Unknown,
    /// Yes, to the diff with this digest.
    Yes(String),
    /// No.
    No,
}

/// A question that came up while a call was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The diff.
    pub diff: String,
    /// Its digest.
    pub digest: String,
}

/// Asks for one call.
#[derive(Debug, Default)]
pub struct Asking {
    will: Will,
    open: Mutex<Option<Question>>,
}

impl Asking {
    /// With what is known already.
    pub fn with(will: Will) -> Self {
        Self { will, open: Mutex::default() }
    }

    /// What the person says to this diff, or that there is nobody yet.
    pub fn reply(&self, diff: &str) -> Reply {
        let digest = blob_id(diff.as_bytes()).to_string();
        match &self.will {
            Will::Yes(seen) if *seen == digest => Reply::Yes,
            Will::No => Reply::No,
            Will::Yes(_) | Will::Unknown => {
                let question = Question { diff: diff.to_owned(), digest };
                *self.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(question);
                Reply::Nobody
            }
        }
    }

    /// What was asked and not answered.
    pub fn into_open(self) -> Option<Question> {
        self.open.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Will {
    /// As the call itself tells it: by the digest among its arguments, or by the answer to a question before.
    pub fn told(named: Option<String>, responses: Option<&InputResponses>, state: Option<&str>) -> Self {
        if let Some(digest) = named {
            return Self::Yes(digest);
        }
        let Some(response) = responses.and_then(|responses| responses.get(QUESTION)) else { return Self::Unknown };
        let says_yes = response["content"][QUESTION].as_bool().unwrap_or(true);
        match (response["action"].as_str(), state) {
            (Some("accept"), Some(digest)) if says_yes => Self::Yes(digest.to_owned()),
            _ => Self::No,
        }
    }
}

/// How a person can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By a result that asks for more.
    Result,
    /// By a request to the client.
    Request,
    /// Not at all.
    None,
}

impl Way {
    /// By what the client says that it can do.
    pub fn of(context: &RequestContext<RoleServer>) -> Self {
        let elicitation = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
        let has_form = elicitation.is_some_and(|can| can.form.is_some() || can.url.is_none());
        let is_modern = context.protocol_version().is_some_and(|version| !version.has_initialize());
        match (has_form, is_modern) {
            (false, _) => Self::None,
            (true, true) => Self::Result,
            (true, false) => Self::Request,
        }
    }
}

/// The result that asks.
pub fn as_result(question: &Question) -> Option<InputRequiredResult> {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(question)?));
    let requests = std::iter::once((QUESTION.to_owned(), request)).collect();
    Some(InputRequiredResult::new(Some(requests), Some(question.digest.clone())))
}

/// What is answered where nobody can be asked: how a later call says yes.
pub fn as_answer(answer: ToolAnswer, question: &Question) -> ToolAnswer {
    let cut = question.diff.floor_char_boundary(SHOWN_TO_MODEL.min(question.diff.len()));
    let (shown, rest) = question.diff.split_at(cut);
    let more = if rest.is_empty() { "" } else { "\n[...]\n" };
    let ToolAnswer { text, .. } = &answer;
    let text = format!(
        "{text}\nthis client cannot ask a person by itself: show them this change, and only if they say yes, call again with the same arguments and confirm: \"{}\"\n\n{shown}{more}",
        question.digest
    );
    ToolAnswer { text, ..answer }.with("confirm", question.digest.clone())
}

/// Asks by a request, and waits for the answer; where none comes, it is no.
pub async fn by_request(context: &RequestContext<RoleServer>, question: &Question) -> Will {
    let Some(form) = form(question) else { return Will::No };
    let asked = context.peer.create_elicitation_with_timeout(form, Some(PATIENCE)).await;
    match asked {
        Ok(answer) if answer.action == ElicitationAction::Accept => {
            let says_yes = answer.content.is_none_or(|content| content[QUESTION].as_bool().unwrap_or(true));
            if says_yes { Will::Yes(question.digest.clone()) } else { Will::No }
        }
        _ => Will::No,
    }
}

fn form(question: &Question) -> Option<ElicitRequestParams> {
    let schema = ElicitationSchema::builder().required_bool(QUESTION).build().ok()?;
    let cut = question.diff.floor_char_boundary(SHOWN.min(question.diff.len()));
    let (shown, rest) = question.diff.split_at(cut);
    let more = if rest.is_empty() { String::new() } else { format!("\n[... and {} bytes more]", rest.len()) };
    let message = format!("Apply this change?\n\n{shown}{more}");
    Some(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema: schema })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn told(response: Value, state: Option<&str>) -> Will {
        Will::told(None, Some(&std::iter::once((QUESTION.to_owned(), response)).collect()), state)
    }

    #[test]
    fn a_yes_is_for_one_diff() {
        let asking = Asking::default();
        assert_eq!(asking.reply("a diff"), Reply::Nobody);
        let digest = asking.into_open().expect("it was asked").digest;
        let yes = Asking::with(Will::Yes(digest));
        assert_eq!((yes.reply("a diff"), yes.reply("another diff")), (Reply::Yes, Reply::Nobody));
        assert!(yes.into_open().is_some_and(|open| open.diff == "another diff"));
    }

    #[test]
    fn only_an_accepted_form_is_a_yes() {
        assert_eq!(told(json!({"action": "accept", "content": {"confirm": true}}), Some("d")), Will::Yes("d".into()));
        assert_eq!(told(json!({"action": "accept", "content": {"confirm": false}}), Some("d")), Will::No);
        assert_eq!(told(json!({"action": "accept", "content": {"confirm": true}}), None), Will::No);
        assert_eq!(told(json!({"action": "decline"}), Some("d")), Will::No);
        assert_eq!(told(json!(5), Some("d")), Will::No);
        assert_eq!(Will::told(None, None, Some("d")), Will::Unknown);
    }
}
