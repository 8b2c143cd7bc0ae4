-- A request for approval counts no more once its maker is suspended or may no longer make it; the console says why.
alter table approval add column lapsed_because text check (lapsed_because = 'MAKER');
