import { sweep } from './sweep.ts';

/**
 * Tidies up after a demo that was itself killed, with -9 say: daemon, tmux server and agents are
 * made to outlive whoever started them. It waits for the end of its input, which comes with the end
 * of the demo, whatever ended it; a word before that says that there is nothing to do.
 * `demo-janitor.cjs <folder>`.
 */
let isDismissed = false;
process.stdin.on('data', () => {
  isDismissed = true;
});
for (const event of ['end', 'error']) {
  process.stdin.once(event, () => {
    if (!isDismissed) void sweep(process.argv[2] ?? '');
  });
}
// Whoever closes the terminal closes it for the demo, and that is our sign.
for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => undefined);
