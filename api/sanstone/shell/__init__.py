"""The ONTAP-like command shell: `sanstone::>`.

A client of the REST API alone, generated from the array's description of its resources
(`core.declaration.description`). From the ground up:

    description   the array's description of its resources: fields as flat leaves
    place         how a resource becomes commands: directory, words, columns (the data in `tables/`)
    words         a line as words        parameters, values    what commands take, and their texts
    collection    one resource with its place: parameters, and the objects that arguments mean
    show, change  what generated commands do          builtin    the shell's own commands
    space, command_roles, file_clone                  those that ONTAP has of several resources
    tree          directories and commands, found by unique abbreviations
    arguments     words bound to a command's parameters
    layout tables and instances as text completion, help for a partial line session settings, and
    running a line interactive, main a terminal, a process

A resource that is in no table has commands too, named after its path and fields.
"""
