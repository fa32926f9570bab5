# Completions of redraft for fish: what can stand there is asked of `redraft complete`, which reads the history.
function __redraft_complete
    set -l typed (commandline -ct)
    set -l lines (redraft complete fish -- (commandline -opc) "$typed" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$typed"
        case dirs
            __fish_complete_directories "$typed" ''
        case '*'
            test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
    end
end
complete -c redraft -f -k -a '(__redraft_complete)'
