-- A manual payment's proof belongs to one withdrawal

create index withdrawal_proof on withdrawal (lower(replace(proof, ' ', ''))) where proof is not null;
