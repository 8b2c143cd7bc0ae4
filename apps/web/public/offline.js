// The page that says there is no connection ends by itself when there is one.
addEventListener('online', () => location.reload());
