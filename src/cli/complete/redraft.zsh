#compdef redraft
# Completions of redraft for zsh: what can stand there is asked of `redraft complete`, which reads the history.
_redraft() {
    local how line value
    local -a lines pairs
    lines=("${(@f)$(redraft complete zsh -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    how=$lines[1]
    case $how in
        files|dirs)
            [[ $PREFIX == --*=* ]] && compset -P '*='
            if [[ $how == dirs ]]; then _files -/; else _files; fi
            return
            ;;
    esac
    for line in "${(@)lines[2,-1]}"; do
        [[ -n $line ]] || continue
        value=${line%%$'\t'*}
        pairs+=("${${value//\\/\\\\}//:/\\:}:${line#*$'\t'}")
    done
    (( $#pairs )) || return 1
    if [[ $how == open ]]; then
        _describe -V -t values redraft pairs -S ''
    else
        _describe -V -t values redraft pairs
    fi
}
if [[ "$funcstack[1]" == "_redraft" ]]; then
    _redraft "$@"
else
    compdef _redraft redraft
fi
