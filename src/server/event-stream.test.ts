import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { Readers, type StreamSource, streamEvents } from './event-stream.ts';

/** A source that gives what it was told to give, in order. */
class Told implements StreamSource<string> {
  isClosed = false;
  readonly #told: (() => Promise<string | undefined>)[] = [];
  #wake: () => void = () => undefined;

  async next(): Promise<string | undefined> {
    for (;;) {
      const first = this.#told.shift();
      if (first) return first();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  tell(item: string | undefined): void {
    this.#told.push(async () => item);
    this.#wake();
  }

  fail(error: Error): void {
    this.#told.push(() => Promise.reject(error));
    this.#wake();
  }

  close(): void {
    this.isClosed = true;
    this.tell(undefined);
  }
}

function open() {
  const [source, clock, readers] = [new Told(), new ManualClock(), new Readers(1)];
  const gone = new AbortController();
  const around = { signal: gone.signal, readers, clock };
  const { body } = streamEvents(source, (item) => `data: ${item}\n\n`, around);
  if (!body) throw new Error('no body');
  const reader = body.getReader();
  const next = async () => {
    const { value } = await reader.read();
    return value && Buffer.from(value).toString();
  };
  return { source, clock, readers, reader, next };
}

test('a stream begins by saying when to come again', async () => {
  const { next, reader } = open();
  expect(await next()).toBe('retry: 1000\n\n');
  await reader.cancel();
});

test('a silent stream sends a comment every 15 s, and loses no event by it', async () => {
  const { source, clock, next } = open();
  await next();
  for (let i = 0; i < 3; i++) {
    const block = next();
    // Until it waits.
    await clock.pass(0);
    await clock.pass(15_000);
    expect(await block).toMatch(/^: .*\n\n$/);
  }
  const event = next();
  source.tell('a');
  expect(await event).toBe('data: a\n\n');
  const end = next();
  source.tell(undefined);
  expect(await end).toBeUndefined();
});

test('a reader that leaves between two comments closes the source, and gives its place back', async () => {
  const { source, readers, reader, next } = open();
  await next();
  const pending = reader.read();
  await reader.cancel();
  expect((await pending).done).toBe(true);
  expect(source.isClosed).toBe(true);
  expect(readers.enter()).toBeDefined();
});

test('a source that fails while nobody asks fails the next read, and nothing before it', async () => {
  const { source, clock, next } = open();
  await next();
  const comment = next();
  await clock.pass(0);
  await clock.pass(15_000);
  await comment;
  source.fail(new Error('it broke'));
  await expect(next()).rejects.toThrow('it broke');
  expect(source.isClosed).toBe(true);
});
