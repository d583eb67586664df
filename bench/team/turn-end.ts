import { byHandInWords } from '../delivery/cli/bench-clis.ts';
import { benchEachCli } from '../delivery/cli/each-cli.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part } from '../suite.ts';
import { openChild } from './child.ts';

/** What stands between a child that is done and the parent's model that reads so. */
export function benchTurnEnd(around: BuiltSurroundings): Promise<Part> {
  return benchEachCli(around, {
    title: 'A child’s turn end, to its parent’s model',
    openOurs: openChild,
    whats: {
      idle: 'parent at rest: child’s turn end → request',
      busy: 'parent at work: end of its answer → request',
      busyInAll: 'busy, from the child’s turn end, median',
    },
    atMostMore: 80,
    how: `Each CLI as the parent, in one life of its own, launched by signalbox, with a mock model on loopback in a closed network; ours and by hand in \
turn, after two rounds to warm up. Its child is a program that the daemon takes for Claude Code 2.1.325, whose turn ends by its own Stop hook. The turn's \
end, where the clock starts, is the moment at which that CLI would start the hook: before \`sh\`, the hook client, the daemon's look at the payload and the completion's commit. One sample of a side is an end while the parent \
rests, whose model then answers for half a second (Qwen: 0.9 s), and one while that answer runs. At rest: from the child's end, or from the act by hand, to the arrival of the \
parent's request that holds the child's words. At work: from the last byte of the running answer to that arrival, since how long an answer still runs is nobody's doing; the time from the child's end itself stands below. ${byHandInWords} \
The floor knows of no child: it is the parent's way in alone. Both sides' medians; the routes that completions took are counted in brackets.`,
  });
}
