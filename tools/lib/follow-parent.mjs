// Preloaded into the programs that `npm start` starts: when their parent is killed, they stop as if asked to.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
