import type { BuiltSurroundings } from '../../parts.ts';
import type { Part } from '../../suite.ts';
import { benchEachCli } from './each-cli.ts';
import { openMail } from './ours.ts';

/**
 * The model's request of each real CLI, at rest and at work, against the same way in used by hand.
 */
export function benchClis(around: BuiltSurroundings): Promise<Part> {
  return benchEachCli(around, {
    title: 'Model requests of real CLIs',
    openOurs: openMail,
    whats: { idle: 'at rest: send → request', busy: 'at work: end of the answer → request' },
    atMostMore: 50,
    how: `Each CLI in one life of its own, launched by signalbox, with a mock model on loopback in a closed network; ours and by hand in \
turn, after two rounds to warm up. One sample of a side is a message to the agent at rest, whose answer takes half a second (Qwen: 0.9 s), and one that is \
sent while that answer runs. At rest: from \`POST /messages\` at the daemon's socket, or from the act by hand, to the arrival of the request that holds the \
text. At work: from the last byte of the running answer to that arrival, since how long an answer still runs is nobody's doing. ${byHandInWords} Both sides' medians; the routes that ours took are counted in brackets.`,
  });
}

export const byHandInWords = `By hand, with a text \
of the same form: Codex \`thread/queue/add\`; OpenCode \`prompt_async\`; Qwen a line in its input file, at work as soon as the answer has ended, both sides at the same evenly spread moments of its polls; \
Copilot the extension's socket and an agentStop hook that answers at once; Claude Code a waiting hook of its own and a Stop hook that answers at once; Gemini and Kimi a bracketed paste and, after the same pause as ours once the screen shows it, Enter, \
and an AfterAgent or Stop hook that answers at once.`;
