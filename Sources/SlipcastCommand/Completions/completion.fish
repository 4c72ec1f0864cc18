# fish completion for slipcast @VERSION@, made by: slipcast completions fish
# It asks the program what may stand at the word that is being typed.
function __slipcast_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l lines (SLIPCAST_COMPLETE=1 $program $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- $current)
        case folders
            __fish_complete_directories (string replace -r '^--[^=]*=' '' -- $current)
        case '*'
            string join \n -- $lines[2..-1]
    end
end

complete -c slipcast -f -a '(__slipcast_complete)'
