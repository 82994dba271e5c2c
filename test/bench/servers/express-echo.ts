/** The floor on Express: it reads JSON and sends it back. */
import type { AddressInfo } from 'node:net';
import express from 'express';
import { announce } from './announce.js';

const app = express();
app.use(express.json());
app.post('/', ({ body }, response) => {
  response.json(body);
});
const server = app.listen(0, '127.0.0.1', () => {
  announce({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
