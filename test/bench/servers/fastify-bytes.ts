/** The floor of a list: Fastify reads JSON and sends the bytes it was given with PUT. */
import { fastify } from 'fastify';
import { announce } from './announce.js';

let bytes = Buffer.alloc(0);

const app = fastify({ bodyLimit: 16 * 1024 * 1024 });
app.addContentTypeParser(
  'application/octet-stream',
  { parseAs: 'buffer' },
  (_request, body, done) => done(null, body),
);
app.put<{ Body: Buffer }>('/', async ({ body }) => {
  bytes = Buffer.from(body);
  return { bytes: bytes.length };
});
app.post('/', async (_request, reply) => reply.type('application/json').send(bytes));
announce({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
