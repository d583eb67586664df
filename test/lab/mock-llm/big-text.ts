import { sha256 } from './script.ts';

/**
 * Numbered lines of 64 bytes, so that a missing piece shows; exactly as many bytes as asked for. No
 * two of them are alike: Gemini CLI 0.61.0 takes an answer that repeats itself for a loop, and asks
 * a person about it.
 */
export function* bigText(bytes: number): Generator<string> {
  const linesPerChunk = 256;
  const lineBytes = 64;
  for (let from = 0; from < bytes; from += linesPerChunk * lineBytes) {
    const lines = Array.from({ length: linesPerChunk }, (_, at) => {
      const number = from / lineBytes + at + 1;
      return `line ${number} ${sha256(String(number))}`.slice(0, lineBytes - 1).concat('\n');
    });
    yield lines.join('').slice(0, bytes - from);
  }
}
