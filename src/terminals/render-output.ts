import { systemClock } from '../shared/clock.ts';
import { Drawing, type ScreenSize } from './drawing.ts';

/**
 * What a person would have seen of a program's raw output: the lines that scrolled away, the second
 * screens that the program has left (each as it was last), and the screen as it stands. A line that
 * the terminal had broken at its edge is one line again, so the width matters little. Undefined
 * where that takes longer than anybody waits: then somebody wrote the output to take long.
 */
export async function renderOutput(
  bytes: Buffer,
  size: ScreenSize,
  patienceMs = usualPatienceMs,
): Promise<readonly string[] | undefined> {
  const drawing = await drawOutput(bytes, size, patienceMs);
  try {
    return drawing?.lines();
  } finally {
    drawing?.dispose();
  }
}

/** The same, to go on with: dispose of it. */
export async function drawOutput(
  bytes: Buffer,
  size: ScreenSize,
  patienceMs = usualPatienceMs,
): Promise<Drawing | undefined> {
  const drawing = await Drawing.open(size);
  const now = (): number => systemClock.monotonicMs();
  const until = now() + patienceMs;
  let pieceBytes = leastPiece;
  for (let at = 0; at < bytes.length; ) {
    const begunAt = now();
    if (begunAt > until) {
      drawing.dispose();
      return undefined;
    }
    await drawing.write(bytes.subarray(at, at + pieceBytes));
    at += pieceBytes;
    pieceBytes = now() - begunAt > slowMs ? leastPiece : Math.min(mostPiece, pieceBytes * 2);
  }
  return drawing;
}

/** 16 MiB take 1 s, and on a busy machine many times that. */
const usualPatienceMs = 15_000;
/** Between two looks at the clock; each piece costs a turn of the event loop. */
const leastPiece = 2 * 1024;
const mostPiece = 32 * 1024;
const slowMs = 100;
