//! Puts all mutants of some files into one build: `mutants SRC FILE...` rewrites these files below SRC in place, adds `SRC/mu.rs`, and prints
//! a row for each mutant: its number, file, line, kind, and what it changes. `MUT=N` switches one on, `MUT_TRACE=FILE` adds the number of each
//! that is reached to a file. For clones alone: see `run.py`.
//!
//! Text is only put in, never taken out, so that the lines stay as they are.

use proc_macro2::{LineColumn, Span};
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprMethodCall, ImplItemFn, Item, ItemFn, Pat, ReturnType, Signature, Stmt,
    Type,
};

/// Methods of which the closure gives a condition.
const ASKED: [&str; 18] = [
    "all",
    "any",
    "filter",
    "find",
    "is_none_or",
    "is_ok_and",
    "is_some_and",
    "map_while",
    "partition",
    "partition_point",
    "position",
    "retain",
    "rposition",
    "skip_while",
    "split",
    "take_while",
    "then_some",
    "rfind",
];

const SWITCH: &str = r#"//! Switches for mutants.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;
use std::io::Write;

static ON: OnceLock<(usize, Option<std::path::PathBuf>)> = OnceLock::new();
static SEEN: [AtomicBool; 20_000] = [const { AtomicBool::new(false) }; 20_000];

/// Whether a mutant is switched on.
#[allow(missing_docs)]
pub fn is(n: usize) -> bool {
    let (on, trace) = ON.get_or_init(|| {
        let number = std::env::var("MUT").ok().and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
        (number, std::env::var_os("MUT_TRACE").map(Into::into))
    });
    if let Some(path) = trace {
        if !SEEN[n].swap(true, Ordering::Relaxed) {
            if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path) {
                let _ = file.write_all(format!("{n}\n").as_bytes());
            }
        }
    }
    *on == n
}
"#;

struct Mutants<'s> {
    text: &'s str,
    lines: Vec<usize>,
    next: usize,
    /// What is put in at a byte: ends come before starts there, inner ends before outer ones.
    starts: Vec<(usize, String)>,
    ends: Vec<(usize, String)>,
    rows: Vec<(usize, usize, &'static str, String)>,
}

impl<'s> Mutants<'s> {
    /// Those of a file, from this number on.
    fn of(text: &'s str, next: usize) -> syn::Result<Self> {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(n, _)| n + 1)).collect();
        let mut mutants = Self { text, lines, next, starts: Vec::new(), ends: Vec::new(), rows: Vec::new() };
        mutants.visit_file(&syn::parse_file(text)?);
        Ok(mutants)
    }
}

impl Mutants<'_> {
    fn offset(&self, at: LineColumn) -> usize {
        let start = self.lines[at.line - 1];
        let line = &self.text[start..];
        start + line.char_indices().nth(at.column).map_or(line.len(), |(n, _)| n)
    }

    fn range(&self, span: Span) -> (usize, usize) {
        (self.offset(span.start()), self.offset(span.end()))
    }

    fn row(&mut self, span: Span, kind: &'static str) -> usize {
        let (start, end) = self.range(span);
        let what: String =
            self.text[start..end].split_whitespace().collect::<Vec<_>>().join(" ").chars().take(100).collect();
        let n = self.next;
        self.next += 1;
        self.rows.push((n, span.start().line, kind, what));
        n
    }

    fn wrap(&mut self, span: Span, before: String, after: String) {
        let (start, end) = self.range(span);
        self.starts.push((start, before));
        self.ends.push((end, after));
    }

    /// What is true is false, and the other way about; of a chain each part for itself.
    fn flip(&mut self, condition: &Expr) {
        match condition {
            Expr::Binary(ExprBinary { left, op: BinOp::And(_) | BinOp::Or(_), right, .. }) => {
                self.flip(left);
                self.flip(right);
            }
            Expr::Let(_) | Expr::Lit(_) => {}
            Expr::Paren(inner) => self.flip(&inner.expr),
            Expr::Block(block) => {
                if let Some(Stmt::Expr(last, None)) = block.block.stmts.last() {
                    self.flip(last);
                }
            }
            // Their branches are conditions themselves.
            Expr::If(_) | Expr::Match(_) => {}
            other => {
                let n = self.row(other.span(), "flip");
                self.wrap(other.span(), "((".into(), format!(") ^ crate::mu::is({n}))"));
            }
        }
    }

    fn body(&mut self, signature: &Signature, block: &Block) {
        if signature.constness.is_some() {
            return;
        }
        let (start, _) = self.range(block.span());
        let put = |this: &mut Self, kind, value: &str| {
            let n = this.row(signature.span(), kind);
            this.starts.push((start + 1, format!(" if crate::mu::is({n}) {{ return {value}; }}")));
        };
        match &signature.output {
            ReturnType::Default => put(self, "gives nothing", ""),
            ReturnType::Type(_, of) => match shape(of).as_str() {
                "bool" => {
                    put(self, "gives true", "true");
                    put(self, "gives false", "false");
                }
                "Option" => put(self, "gives none", "None"),
                "Vec" | "String" | "BTreeSet" | "BTreeMap" | "HashMap" | "HashSet" | "usize" | "u32" | "u64" => {
                    put(self, "gives default", "Default::default()");
                }
                "Result<()>" => put(self, "gives ok", "Ok(())"),
                "Result<Option>" => put(self, "gives none", "Ok(None)"),
                "Result<bool>" => {
                    put(self, "gives true", "Ok(true)");
                    put(self, "gives false", "Ok(false)");
                }
                "Result<Vec>" => put(self, "gives default", "Ok(Vec::new())"),
                _ => {}
            },
        }
    }
}

/// The name of a type without what is in it, but for a `Result`.
fn shape(of: &Type) -> String {
    match of {
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return String::new() };
            let name = last.ident.to_string();
            match &last.arguments {
                syn::PathArguments::AngleBracketed(of) if name == "Result" => match of.args.first() {
                    Some(syn::GenericArgument::Type(of)) => format!("Result<{}>", shape(of)),
                    _ => name,
                },
                _ => name,
            }
        }
        Type::Tuple(tuple) if tuple.elems.is_empty() => "()".into(),
        _ => String::new(),
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string().contains("test"),
        meta => meta.path().is_ident("test"),
    })
}

/// Whether an expression gives a truth, by its form.
fn tells(expression: &Expr) -> bool {
    match expression {
        Expr::Binary(pair) => {
            !matches!(pair.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_))
        }
        Expr::Unary(one) => matches!(one.op, syn::UnOp::Not(_)),
        Expr::Paren(inner) => tells(&inner.expr),
        Expr::Block(block) => matches!(block.block.stmts.last(), Some(Stmt::Expr(last, None)) if tells(last)),
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            ["is_", "has_", "may_", "are_", "was_"].iter().any(|start| name.starts_with(start))
                || ["any", "all", "contains", "contains_key", "starts_with", "ends_with", "eq"].contains(&name.as_str())
        }
        Expr::Macro(of) => of.mac.path.is_ident("matches"),
        _ => false,
    }
}

/// Whether an expression can be made twice: it has no closure, and does nothing.
fn is_plain(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_plain(&field.base),
        Expr::Reference(inner) => is_plain(&inner.expr),
        Expr::Unary(inner) => is_plain(&inner.expr),
        Expr::Paren(inner) => is_plain(&inner.expr),
        Expr::Binary(pair) => is_plain(&pair.left) && is_plain(&pair.right),
        Expr::MethodCall(call) => {
            matches!(call.method.to_string().as_str(), "len" | "start" | "end")
                && call.args.is_empty()
                && is_plain(&call.receiver)
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Mutants<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(of) => &of.attrs,
            Item::Fn(of) => &of.attrs,
            Item::Impl(of) => &of.attrs,
            Item::Const(_) | Item::Static(_) | Item::Macro(_) => return,
            _ => &Vec::new(),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if item.sig.constness.is_some() {
            return;
        }
        self.body(&item.sig, &item.block);
        if matches!(&item.sig.output, ReturnType::Type(_, of) if shape(of) == "bool")
            && let Some(Stmt::Expr(last, None)) = item.block.stmts.last()
        {
            self.flip(last);
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if item.sig.constness.is_some() || is_test(&item.attrs) {
            return;
        }
        self.body(&item.sig, &item.block);
        if matches!(&item.sig.output, ReturnType::Type(_, of) if shape(of) == "bool")
            && let Some(Stmt::Expr(last, None)) = item.block.stmts.last()
        {
            self.flip(last);
        }
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_expr_if(&mut self, item: &'ast syn::ExprIf) {
        self.flip(&item.cond);
        visit::visit_expr_if(self, item);
    }

    fn visit_expr_while(&mut self, item: &'ast syn::ExprWhile) {
        self.flip(&item.cond);
        visit::visit_expr_while(self, item);
    }

    fn visit_local(&mut self, item: &'ast syn::Local) {
        // Names say what is a condition.
        let is_condition =
            |name: &str| ["is_", "has_", "may_", "are_", "was_", "needs_"].iter().any(|start| name.starts_with(start));
        if let (Pat::Ident(name), Some(init)) = (&item.pat, &item.init)
            && is_condition(&name.ident.to_string())
        {
            match &*init.expr {
                Expr::Closure(closure) if tells(&closure.body) => self.flip(&closure.body),
                other if tells(other) => self.flip(other),
                _ => {}
            }
        }
        visit::visit_local(self, item);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if ASKED.contains(&call.method.to_string().as_str()) && call.args.len() == 1 {
            match &call.args[0] {
                Expr::Closure(closure) if call.method != "map_while" && call.method != "then_some" => {
                    self.flip(&closure.body)
                }
                _ => {}
            }
        }
        if call.method == "then" || call.method == "then_some" {
            self.flip(&call.receiver);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, pair: &'ast ExprBinary) {
        let bound = matches!(pair.op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_));
        if bound && is_plain(&pair.left) && is_plain(&pair.right) {
            let n = self.row(pair.span(), "bound");
            let (left, right) = (self.range(pair.left.span()), self.range(pair.right.span()));
            let (left, right) = (&self.text[left.0..left.1], &self.text[right.0..right.1]);
            let after = format!(") ^ (crate::mu::is({n}) && ({left}) == ({right})))");
            self.wrap(pair.span(), "((".into(), after);
        }
        if let (BinOp::Add(_) | BinOp::Sub(_), Expr::Lit(one)) = (&pair.op, &*pair.right)
            && matches!(&one.lit, syn::Lit::Int(_))
        {
            let n = self.row(pair.span(), "no one");
            self.wrap(one.span(), format!("(if crate::mu::is({n}) {{ 0 }} else {{ "), " })".into());
        }
        visit::visit_expr_binary(self, pair);
    }

    fn visit_expr_match(&mut self, item: &'ast syn::ExprMatch) {
        let has_rest = item.arms.iter().any(|arm| matches!(arm.pat, Pat::Wild(_)) && arm.guard.is_none());
        for arm in &item.arms {
            self.arm(arm, has_rest && !matches!(arm.pat, Pat::Wild(_)));
        }
        visit::visit_expr_match(self, item);
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(expression @ (Expr::MethodCall(_) | Expr::Call(_)), Some(_)) = stmt {
            let n = self.row(expression.span(), "left out");
            self.wrap(stmt.span(), format!("if !crate::mu::is({n}) {{ "), " }".into());
        }
        if let Stmt::Expr(Expr::Assign(assign), Some(_)) = stmt
            && matches!(&*assign.left, Expr::Field(_) | Expr::Index(_))
        {
            let n = self.row(assign.span(), "left out");
            self.wrap(stmt.span(), format!("if !crate::mu::is({n}) {{ "), " }".into());
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_type(&mut self, _: &'ast Type) {}
}

impl Mutants<'_> {
    fn arm(&mut self, arm: &Arm, may_go: bool) {
        match &arm.guard {
            Some((_, guard)) => self.flip(guard),
            None if may_go => {
                let n = self.row(arm.pat.span(), "arm");
                let (_, end) = self.range(arm.pat.span());
                self.ends.push((end, format!(" if !crate::mu::is({n})")));
            }
            None => {}
        }
    }

    fn rewritten(self) -> String {
        let mut put: Vec<(usize, usize, isize, String)> = Vec::new();
        put.extend(self.starts.into_iter().enumerate().map(|(n, (at, text))| (at, 1, n.cast_signed(), text)));
        put.extend(self.ends.into_iter().enumerate().map(|(n, (at, text))| (at, 0, -n.cast_signed(), text)));
        put.sort_by_key(|(at, side, n, _)| (*at, *side, *n));
        let (mut found, mut last) = (String::new(), 0);
        for (at, _, _, text) in put {
            found.push_str(&self.text[last..at]);
            found.push_str(&text);
            last = at;
        }
        found + &self.text[last..]
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let source = args.next().expect("the folder of the sources");
    let source = Path::new(&source);
    let mut next = 0;
    for name in args {
        let path = source.join(&name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mutants = Mutants::of(&text, next).unwrap_or_else(|error| panic!("{name}: {error}"));
        next = mutants.next;
        for (n, line, kind, what) in &mutants.rows {
            println!("{n}\t{name}\t{line}\t{kind}\t{what}");
        }
        let rewritten = mutants.rewritten();
        std::fs::write(&path, rewritten).expect("it can be written");
    }
    let root = source.join("lib.rs");
    let text = std::fs::read_to_string(&root).expect("the root");
    let at = text.find("\npub mod ").expect("a module") + 1;
    std::fs::write(&root, format!("{}#[doc(hidden)]\npub mod mu;\n{}", &text[..at], &text[at..]))
        .expect("it can be written");
    std::fs::write(source.join("mu.rs"), SWITCH).expect("it can be written");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds of the mutants of some source, with what each changes, and what becomes of it.
    fn made(text: &str) -> (Vec<(&'static str, String)>, String) {
        let mutants = Mutants::of(text, 0).expect("it parses");
        let rows = mutants.rows.iter().map(|(_, _, kind, what)| (*kind, what.clone())).collect();
        (rows, mutants.rewritten())
    }

    #[test]
    fn each_part_of_a_condition_is_turned_round_by_its_own_switch_and_no_line_moves() {
        let text = "fn f(a: usize) -> bool {\n    a > 1\n        && g(a)\n}\n";
        let (rows, rewritten) = made(text);
        assert!(rows.contains(&("flip", "g(a)".to_owned())), "{rows:?}");
        assert!(rows.contains(&("gives true", "fn f(a: usize) -> bool".to_owned())), "{rows:?}");
        assert!(rewritten.contains("((g(a)) ^ crate::mu::is("), "{rewritten}");
        assert_eq!(rewritten.lines().count(), text.lines().count());
        syn::parse_file(&rewritten).expect("it parses again");
    }

    #[test]
    fn tests_constants_and_patterns_have_none() {
        let text = "const fn c(a: bool) -> bool { a }\n#[cfg(test)]\nmod tests { fn t(a: bool) -> bool { a } }\nconst N: usize = 1 + 2;\n";
        assert_eq!(made(text), (Vec::new(), text.to_owned()));
    }
}
