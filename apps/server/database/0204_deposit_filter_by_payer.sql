-- Renames the payer filter in saved views of the deposits page

update console_view
set address = regexp_replace(address, '(^|[?&])stranger=', '\1otherAccount=')
where page_name = 'deposits' and address ~ '(^|[?&])stranger=';
