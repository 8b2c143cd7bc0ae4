-- Lets the application move what an operator has paid or credited to the time at which it is done again

grant update (amount, at) on operator_use to krapao_app;
