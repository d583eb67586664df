import type { LabTerminal } from './driver.ts';
import type { Screen } from './screen.ts';
import type { CliName } from './versions.ts';

/**
 * Waits until a freshly started CLI takes a prompt: its composer is drawn and the screen has stood
 * still. Several draw it before they read from it: Gemini 0.61.0 lost a prompt that came while it
 * was still loading an MCP server.
 */
export async function waitUntilReady(
  terminal: LabTerminal,
  name: CliName,
  deadlineMs = 120_000,
): Promise<Screen> {
  const startedAt = performance.now();
  await terminal.waitFor(
    `${name} shows its composer`,
    ({ text }) => composers[name].test(text),
    deadlineMs,
  );
  const leftMs = deadlineMs - (performance.now() - startedAt);
  return await terminal.settled(quietMs[name] ?? 500, leftMs);
}

const composers: Readonly<Record<CliName, RegExp>> = {
  'claude-code': /\n❯[\s\S]*\? for shortcuts/,
  codex: /› Ask Codex to do anything/,
  gemini: />\s+Type your message or @path/,
  opencode: /Ask anything…/,
  copilot: /\n❯[\s\S]*\/ commands · \? help/,
  qwen: />\s+Type your message or @path/,
  kimi: /│ >\s+│/,
};

/** Gemini and Qwen go on loading behind a still screen. */
const quietMs: Readonly<Partial<Record<CliName, number>>> = { gemini: 1000, qwen: 1000 };
