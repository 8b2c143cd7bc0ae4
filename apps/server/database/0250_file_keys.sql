-- Finds the slip of a file, for the clean-up of files without a row

create index slip_file on slip (file);
