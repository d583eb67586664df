import { expect, test } from 'vitest';
import { EventReader } from './event-reader.ts';

const line = (type: string, more = ''): string =>
  `data: {"id":"evt_1","type":"${type}","properties":{"text":"${more}"}}\n\n`;

function read(...chunks: readonly (string | Buffer)[]): readonly unknown[] {
  const reader = new EventReader();
  return chunks.flatMap((chunk) =>
    [...reader.take(Buffer.from(chunk))].map((event) => (event === 'lost' ? event : event['type'])),
  );
}

test('events are read whole, wherever the network cuts them', () => {
  const text = Buffer.from(line('session.status', 'größer 🌕') + line('session.idle'));
  for (let cut = 1; cut < text.length; cut++) {
    expect(read(text.subarray(0, cut), text.subarray(cut))).toEqual([
      'session.status',
      'session.idle',
    ]);
  }
});

test('what is said about parts of messages is passed over, however long it is (O5)', () => {
  const long = 'x'.repeat(3 * 1024 * 1024);
  const bulk = line('message.part.updated', long);
  expect(read(bulk.slice(0, 2_000_000), bulk.slice(2_000_000), line('session.idle'))).toEqual([
    'session.idle',
  ]);
});

test('an event that is too long or no JSON is told as lost, and the next one is read (O5)', () => {
  const long = line('session.error', 'x'.repeat(2 * 1024 * 1024));
  expect(read(long + line('session.idle'))).toEqual(['lost', 'session.idle']);
  expect(read(`data: {"type":\n${line('session.idle')}`)).toEqual(['lost', 'session.idle']);
  expect(read(`: comment\nevent: message\n${line('session.idle')}`)).toEqual(['session.idle']);
});

test('a part of the kind that is wanted is told, wherever its name stands in other parts', () => {
  const reader = new EventReader((head) => head.includes('"type":"step-start"'));
  const part = (fields: string): Buffer =>
    Buffer.from(
      `data: {"id":"evt_1","type":"message.part.updated","properties":{"part":{${fields}}}}\n\n`,
    );
  const start = part('"id":"prt_1","messageID":"msg_1","type":"step-start"');
  const text = part(`"id":"prt_2","type":"text","text":"${'x'.repeat(700)}"type":"step-start""`);
  expect([...reader.take(start)]).toHaveLength(1);
  expect([...reader.take(text)]).toHaveLength(0);
});
