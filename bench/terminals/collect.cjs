// Loaded into the daemon that is measured (`node --expose-gc -r collect.cjs`): on SIGUSR2 it
// collects its garbage, writes what it holds into SIGNALBOX_BENCH_REPORT, and goes on. The product
// itself has no such door. Timers are counted by their lifetimes: `getActiveResourcesInfo` leaves
// out those that are unref'd, and nearly all of the daemon's are.
const { createHook } = require('node:async_hooks');
const { writeFileSync, readdirSync, renameSync } = require('node:fs');

const timers = new Set();
createHook({
  init: (id, type) => {
    if (type === 'Timeout') timers.add(id);
  },
  destroy: (id) => {
    timers.delete(id);
  },
}).enable();

process.on('SIGUSR2', () => {
  for (let i = 0; i < 3; i++) globalThis.gc();
  // What the collection found dead is told in the next turn.
  setImmediate(() => {
    const report = process.env.SIGNALBOX_BENCH_REPORT;
    const facts = {
      memory: process.memoryUsage(),
      openFiles: readdirSync('/proc/self/fd').length,
      timers: timers.size,
    };
    writeFileSync(`${report}.new`, JSON.stringify(facts));
    renameSync(`${report}.new`, report);
  });
});
