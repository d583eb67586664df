import type { LabSession } from '../record/session.ts';
import type { Screen } from '../screen.ts';

/** Nothing is pressed: what happens then is no key's doing. */
export const noKey = 'none';

/** A CLI that reacts at all does so within a frame or two; hints fade in within a second. */
const watchedMs = 1500;

/**
 * Presses one key and tells what came of it; undefined: nothing on the screen, no cursor that
 * moved, no request, no end. A turn draws all the time: there a line counts that looks like none
 * before it.
 */
export async function pressIn(
  session: LabSession,
  key: string,
  isMoving: boolean,
): Promise<string | undefined> {
  const before = isMoving
    ? await session.terminal.capture()
    : await session.terminal.settled(600, 10_000);
  const known = new Set(shapesOf(before));
  if (isMoving)
    await watch(session, (screen) => {
      for (const shape of shapesOf(screen)) known.add(shape);
    });
  const asked = session.mock.requests.length;
  const open = session.turns.filter(({ outcome }) => outcome === undefined).length;
  if (key !== noKey) await session.terminal.keys(key);
  const found = new Set<string>();
  let last = before;
  await watch(session, (screen) => {
    last = screen;
    for (const line of screen.text.split('\n')) {
      if (!known.has(shapeOf(line)) && line.trim() !== '') found.add(line.trim().slice(0, 60));
    }
  });
  if (last.exit) return 'the CLI ended';
  if (session.mock.requests.length > asked && !isMoving) return 'the model was asked';
  const still = session.turns.filter(({ outcome }) => outcome === undefined).length;
  if (still < open) return 'the turn was broken off';
  const [line] = found;
  if (line !== undefined) return `shows “${line}”`;
  if (isMoving) return undefined;
  if (last.cursor.x !== before.cursor.x || last.cursor.y !== before.cursor.y)
    return 'moves the cursor';
  return last.styled === before.styled ? undefined : 'changes the screen';
}

async function watch(session: LabSession, take: (screen: Screen) => void): Promise<void> {
  const endsAt = performance.now() + watchedMs;
  while (performance.now() < endsAt) {
    take(await session.terminal.capture());
    await session.pause(50);
  }
}

function shapesOf({ text }: Screen): readonly string[] {
  return text.split('\n').map(shapeOf);
}

/** Without what a spinner, a clock, a count and a stream of `word123` change in between. */
function shapeOf(line: string): string {
  return line
    .replace(/\b(?:w|wo|wor|word)\d*\b/g, '')
    .replace(/\b[KMG]?i?B\b/g, '')
    .replace(/\d+/g, '0')
    .replace(/[^\p{L}0]/gu, '')
    .replace(/0+/g, '');
}
