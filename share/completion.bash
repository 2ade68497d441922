# SPDX-License-Identifier: Apache-2.0
# Completion of the tools for bash: options as --help has them, else files.

_warpstep() {
    local word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    [[ $word == -* ]] || return 0
    mapfile -t COMPREPLY < <(compgen -W "$("$1" --help 2> /dev/null | grep -oE '(^|[[ ,])--?[a-zA-Z][-a-z0-9]*' |
        tr -d '[ ,' | sort -u)" -- "$word")
}
complete -o default -F _warpstep warp-as warp-dis warp-cc warp-run warp-lockstep warp-fuzz warp-view warp-load
