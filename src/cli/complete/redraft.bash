# Completions of redraft for bash: what can stand there is asked of `redraft complete`, which reads the history.
_redraft() {
    local how= line
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $how ]]; then how=$line; else COMPREPLY+=("$line"); fi
    done < <(redraft complete bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" "${COMP_TYPE-}" 2>/dev/null)
    case $how in
        open) compopt -o nospace 2>/dev/null ;;
        values) compopt +o default +o bashdefault 2>/dev/null ;;
        dirs) compopt +o default +o bashdefault -o dirnames 2>/dev/null ;;
    esac
}
if [[ ${BASH_VERSINFO[0]} -gt 4 || (${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4) ]]; then
    complete -o nosort -o bashdefault -o default -F _redraft redraft
else
    complete -o bashdefault -o default -F _redraft redraft
fi
