/** The floor: Fastify reads JSON and sends it back. */
import { fastify } from 'fastify';
import { announce } from './announce.js';

const app = fastify();
app.post('/', async ({ body }) => body);
announce({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
