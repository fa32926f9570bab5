//! The protocol's methods.
//!
//! Owns the way of a call: to the thread of its tree, to the person who must say yes, and back.

use super::answer::ToolAnswer;
use super::arguments::Arguments;
use super::caller::caller;
use super::confirm::{self, Asking, Question, Way, Will};
use super::progress::Progress;
use super::resources;
use super::roots::{Choice, Roots, Served};
use super::tools::{self, Call, Effect, Offer, Opened, Tool};
use super::transport::Lines;
use crate::dialect::in_own_words;
use crate::env::{Env, Interrupt};
use crate::history::History;
use crate::request::Agent;
use crate::serve::{Tell, Trees, Turn};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData,
    Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// What a client may know before it calls: when to use which tool.
const INSTRUCTIONS: &str = "Edits files of a git working tree: each `edit` is applied whole or not at all, recorded, and can \
be undone (`undo`) without losing later changes. Prefer it to other ways of writing files. `read` gives text as \
edits match it; `log`, `diff` and `blame` tell what was done, and by whom.";

/// The methods that there are.
const METHODS: [&str; 8] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "resources/templates/list",
];

/// So long a client may keep a list, in milliseconds: it is the same as long as the server runs.
const LIST_TTL_MS: u64 = 3_600_000;

/// So often a person is asked about one call, where the files change meanwhile.
const MOST_QUESTIONS: usize = 3;

/// The server.
#[derive(Clone)]
pub struct Server {
    env: Env,
    roots: Arc<Roots>,
    trees: Arc<Trees>,
    offer: Offer,
}

/// Of a request.
type Context = RequestContext<RoleServer>;

/// A call, before it is done.
#[derive(Clone)]
struct Wanted {
    tool: &'static Tool,
    served: Served,
    arguments: Arguments,
    caller: Agent,
}

/// What came of doing it once.
struct Tried {
    answer: ToolAnswer,
    question: Option<Question>,
}

impl Server {
    /// Of these folders.
    pub fn new(env: Env, roots: Roots, offer: Offer) -> Self {
        Self { env, roots: Arc::new(roots), trees: Arc::default(), offer }
    }

    /// Serves until the client ends it.
    pub async fn run(self, transport: Lines) {
        // A client that goes away before it has said what it wants is no error.
        if let Ok(running) = self.serve(transport).await {
            _ = running.waiting().await;
        }
    }

    /// Where a call of this folder runs: as if the program had been started there.
    fn env_of(&self, served: &Served) -> Option<Env> {
        let env = self.env.clone();
        let moved =
            if served.is_boundary { env.in_another_repository(&served.real) } else { env.moved_to(&served.real) };
        moved.ok()
    }

    /// Does `work` on the thread of a folder. What it gives is lost where nobody waits for it.
    fn on_its_thread<T: Send + 'static>(
        &self,
        folder: &Path,
        work: impl FnOnce(&mut Turn<'_>) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        self.trees.submit(folder, move |turn| _ = sender.send(work(turn)));
        receiver
    }

    /// As [`Self::on_its_thread`], for an edit, which may share a sync with others.
    fn joining_on_its_thread<T: Send + 'static>(
        &self,
        folder: &Path,
        mut work: impl FnMut(&mut Turn<'_>) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        let sender = Arc::new(Mutex::new(Some(sender)));
        self.trees.submit_joining(folder, move |turn| -> Tell {
            let (done, sender) = (work(turn), Arc::clone(&sender));
            Box::new(move || {
                let sender = sender.lock().unwrap_or_else(PoisonError::into_inner).take();
                _ = sender.map(|sender| sender.send(done));
            })
        });
        receiver
    }

    /// The folder whose history has one of these records, else the first.
    async fn folder_of(&self, ids: &[String]) -> Served {
        for served in self.roots.all() {
            let Some(env) = self.env_of(served) else { continue };
            let (served_there, ids) = (served.clone(), ids.to_vec());
            let has_one = self.on_its_thread(&served.real, move |turn| {
                let opened = Opened::open(&env, &served_there, turn.warm).ok()?;
                let history = History::open(opened.workspace.repo()).ok()?;
                ids.iter().any(|id| history.find(id).is_ok()).then_some(())
            });
            if let Ok(Some(())) = has_one.await {
                return served.clone();
            }
        }
        self.roots.all()[0].clone()
    }

    async fn call(&self, wanted: &Wanted, will: Will, (context, progress): (&Context, &Progress<'_>)) -> Tried {
        let refused = |text| Tried { answer: ToolAnswer::refused(text), question: None };
        let Some(env) = self.env_of(&wanted.served) else {
            return refused("the folder that is served is gone; nothing was done");
        };
        let interrupt = Interrupt::default();
        let env = env.with_interrupt(interrupt.clone());
        let wanted = wanted.clone();
        let is_cancelled = interrupt.clone();
        let folder = wanted.served.real.clone();
        let does_edit = wanted.tool.effect == Effect::Edits;
        let work = move |turn: &mut Turn<'_>| {
            if is_cancelled.is_raised() {
                return refused("the call was cancelled; nothing was done");
            }
            let Wanted { tool, served, arguments, caller } = wanted.clone();
            let asking = Asking::with(will.clone());
            let call = Call { env: &env, caller: &caller, asking: &asking, group: turn.group };
            let answer =
                tool.refuse_unknown(&arguments).and_then(|()| Opened::open(&env, &served, turn.warm)).map(|opened| {
                    let answer = (tool.run)(&call, &opened, arguments).unwrap_or_else(|refusal| *refusal);
                    answer.with_untold(opened.workspace.env())
                });
            let answer = answer.unwrap_or_else(|refusal| *refusal);
            Tried { answer, question: asking.into_open() }
        };
        let mut done = match does_edit {
            true => self.joining_on_its_thread(&folder, work),
            false => self.on_its_thread(&folder, work),
        };
        let answered = async {
            tokio::select! {
                tried = &mut done => tried,
                () = context.ct.cancelled() => {
                    interrupt.raise();
                    done.await
                }
            }
        };
        let tried = progress.told(answered).await;
        tried.unwrap_or_else(|_| refused("a defect of redraft ended this call; `status` tells what is unfinished"))
    }

    /// Puts the question of a call to a person; gives the answer of the call, or the result that asks.
    async fn confirmed(
        &self,
        wanted: &Wanted,
        Tried { answer, question }: Tried,
        (context, progress): (&Context, &Progress<'_>),
    ) -> CallToolResponse {
        let Some(question) = question else { return answer.into_result().into() };
        match Way::of(context) {
            Way::Result => match confirm::as_result(&question) {
                Some(asks) => asks.into(),
                None => answer.into_result().into(),
            },
            Way::Request => {
                let mut open = question;
                for _ in 0..MOST_QUESTIONS {
                    let will = confirm::by_request(context, &open).await;
                    let Tried { answer, question } = self.call(wanted, will, (context, progress)).await;
                    // The file changed while the person was asked, so that the yes was to something else.
                    let Some(question) = question else { return answer.into_result().into() };
                    open = question;
                }
                confirm::as_answer(answer, &open).into_result().into()
            }
            Way::None => confirm::as_answer(answer, &question).into_result().into(),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let info = Implementation::new("redraft", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(info).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut list = ListToolsResult::with_all_items(tools::list(self.offer));
        (list.ttl_ms, list.cache_scope) = (Some(LIST_TTL_MS), Some(CacheScope::Private));
        Ok(list)
    }

    async fn call_tool(&self, params: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find(&params.name, self.offer) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", params.name), None));
        };
        let mut arguments = params.arguments.unwrap_or_default();
        in_own_words(&mut arguments);
        let named = arguments.remove("confirm").and_then(|digest| digest.as_str().map(str::to_owned));
        let will = Will::told(named, params.input_responses.as_ref(), params.request_state.as_deref());
        let choice = match self.roots.choose(&mut arguments) {
            Ok(choice) => choice,
            Err(refusal) => return Ok((*refusal).into_result().into()),
        };
        let is_unsaid = choice == Choice::Unsaid;
        let served = match choice {
            Choice::Folder(served) => served,
            Choice::Records(ids) => self.folder_of(&ids).await,
            Choice::Unsaid if tool.effect == Effect::TakesBack => {
                let text = format!(
                    "several folders are served ({}), and this names none; nothing was done; name one as `root`",
                    self.roots.names()
                );
                return Ok(ToolAnswer::refused(text).with("reason", "missing_field").into_result().into());
            }
            Choice::Unsaid => self.roots.all()[0].clone(),
        };
        let wanted = Wanted { tool, served, arguments, caller: caller(&context, &self.env) };
        let progress = Progress::of(&context);
        let mut tried = self.call(&wanted, will, (&context, &progress)).await;
        if is_unsaid && tool.effect != Effect::Edits {
            let others: Vec<String> =
                self.roots.all()[1..].iter().map(|root| root.named.display().to_string()).collect();
            tried.answer.add_note(&format!(
                "[of {}; name another as `root`: {}]",
                wanted.served.named.display(),
                others.join(", ")
            ));
        }
        Ok(self.confirmed(&wanted, tried, (&context, &progress)).await)
    }

    async fn on_custom_request(&self, request: CustomRequest, _context: Context) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        // What is known by name, and came here, has parameters that nobody understands.
        Err(if METHODS.contains(&method.as_str()) {
            ErrorData::invalid_params(format!("the params of {method} are not what the protocol says"), None)
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {method:?}"), None)
        })
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut list = ListResourcesResult::with_all_items(resources::list());
        (list.ttl_ms, list.cache_scope) = (Some(LIST_TTL_MS), Some(CacheScope::Private));
        Ok(list)
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut list = ListResourceTemplatesResult::with_all_items(resources::templates());
        (list.ttl_ms, list.cache_scope) = (Some(LIST_TTL_MS), Some(CacheScope::Private));
        Ok(list)
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        _context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = params.uri;
        let missing = || ErrorData::resource_not_found(format!("there is no resource {uri:?}"), None);
        let wanted = resources::parse(&uri).ok_or_else(missing)?;
        for served in self.roots.all() {
            let Some(env) = self.env_of(served) else { continue };
            let (served, wanted, of) = (served.clone(), wanted.clone(), uri.clone());
            let folder = served.real.clone();
            let read = self.on_its_thread(&folder, move |turn| {
                resources::read(&Opened::open(&env, &served, turn.warm).ok()?, &wanted, &of)
            });
            if let Ok(Some(contents)) = read.await {
                return Ok(ReadResourceResult::new(vec![contents]).into());
            }
        }
        Err(missing())
    }
}
