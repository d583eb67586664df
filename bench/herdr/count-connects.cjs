// Loaded into the daemon that is measured (`node -r count-connects.cjs`): every connection that it
// tries to open to a socket of herdr is one line, its wall time, in SIGNALBOX_BENCH_CONNECTS,
// whether somebody listens there or not.
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');

const connect = Socket.prototype.connect;
Socket.prototype.connect = function counted(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  if (options?.path?.endsWith('herdr.sock')) {
    appendFileSync(process.env.SIGNALBOX_BENCH_CONNECTS, `${Date.now()}\n`);
  }
  return connect.apply(this, args);
};
