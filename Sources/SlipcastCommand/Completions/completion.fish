# fish completion for slipcast @VERSION@, made by: slipcast completions fish

# The words behind the program's name, up to the word that is being typed.
function __slipcast_typed
    set -l words (commandline -opc)
    string join \n -- $words[2..-1]
end

# True when exactly these words are typed.
function __slipcast_stands_at
    set -l typed (__slipcast_typed)
    test "$typed" = "$argv"
end

# True behind the command of that name.
function __slipcast_is
    set -l typed
    for word in (__slipcast_typed)
        set -a typed $word
        if contains -- "$typed" @NAMES@
            test "$typed" = $argv[1]
            return
        end
    end
    return 1
end

# True until an option is given; while its value is typed, it is not yet.
function __slipcast_lacks
    set -l typed (__slipcast_typed)
    test "$typed[-1]" = $argv[1]
    or not string match -q -- $argv[1] (string replace -r '=.*' '' -- $typed)
end

# The names that the program itself knows.
function __slipcast_names
    set -l program (string replace -r '^~/' "$HOME/" -- (commandline -opc)[1])
    $program explain --names 2>/dev/null
end

complete -c slipcast -f
@LINES@
