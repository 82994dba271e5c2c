import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

/** Both HTTP adapters; whole-application specs run on each. */
export const adapters = [
  ['Fastify', () => new FastifyAdapter()],
  ['Express', () => new ExpressAdapter()],
] as const;

export type MakeAdapter = () => ExpressAdapter | FastifyAdapter;
