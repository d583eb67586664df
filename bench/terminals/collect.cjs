// Loaded into the daemon that is measured (`node --expose-gc -r collect.cjs`): on SIGUSR2 it collects its garbage, writes what
// it holds into SIGNALBOX_BENCH_REPORT, and goes on. The product itself has no such door.
const { writeFileSync, readdirSync, renameSync } = require('node:fs');

process.on('SIGUSR2', () => {
  for (let i = 0; i < 3; i++) globalThis.gc();
  const report = process.env.SIGNALBOX_BENCH_REPORT;
  const timers = process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate/.test(name));
  const facts = {
    memory: process.memoryUsage(),
    openFiles: readdirSync('/proc/self/fd').length,
    timers: timers.length,
  };
  writeFileSync(`${report}.new`, JSON.stringify(facts));
  renameSync(`${report}.new`, report);
});
