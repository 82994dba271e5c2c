/** @rekog/mcp-nest on Fastify, stateless. The argument is how many tools it has beside the echo. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { announce } from './announce.mjs';
import { catalogue, EchoInput } from './tools.mjs';

class Tools {}
const [count = '0'] = process.argv.slice(2);
const tools =
  count === '0'
    ? [{ name: 'echo_zod', description: 'Says it again', input: EchoInput }]
    : catalogue(Number(count));
for (const { name, title, description, input } of tools) {
  const method = {
    value: async ({ text, words }) => ({ content: [{ type: 'text', text: text ?? words }] }),
    writable: true,
    configurable: true,
  };
  Object.defineProperty(Tools.prototype, name, method);
  Tool({ name, description, parameters: input, ...(title && { annotations: { title } }) })(
    Tools.prototype,
    name,
    method,
  );
  Payload()(Tools.prototype, name, 0);
}
McpController()(Tools);

class AppModule {}
Module({ controllers: [Tools] })(AppModule);

const strategy = new McpStrategy({
  name: 'bench',
  version: '1.0.0',
  transports: [
    new StreamableHttpTransport({
      security: { allowedOrigins: 'localhost', allowedHosts: 'localhost' },
    }),
  ],
  logging: { level: ['warn', 'error'] },
});
const app = await NestFactory.create(AppModule, new FastifyAdapter(), {
  logger: ['warn', 'error', 'fatal'],
});
strategy.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy });
await app.startAllMicroservices();
await app.listen(0, '127.0.0.1');
announce(`${await app.getUrl()}/mcp`);
