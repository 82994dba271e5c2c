/** What Nest itself takes for a route on Fastify, and for what stands around it. */
import 'reflect-metadata';
import {
  Body,
  Controller,
  HttpCode,
  Module,
  Post,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { announce } from './announce.js';
import { BenchGuard, BenchInterceptor, BenchPipe } from './enhancers.js';

@Controller()
class Routes {
  @Post('plain')
  @HttpCode(200)
  plain(@Body() body: object): object {
    return body;
  }

  @Post('one')
  @HttpCode(200)
  @UseGuards(BenchGuard)
  @UseInterceptors(BenchInterceptor)
  @UsePipes(BenchPipe)
  one(@Body() body: object): object {
    return body;
  }

  @Post('guards')
  @HttpCode(200)
  @UseGuards(...Array<typeof BenchGuard>(10).fill(BenchGuard))
  guards(@Body() body: object): object {
    return body;
  }

  @Post('interceptors')
  @HttpCode(200)
  @UseInterceptors(...Array<typeof BenchInterceptor>(10).fill(BenchInterceptor))
  interceptors(@Body() body: object): object {
    return body;
  }
}

@Module({ controllers: [Routes] })
class AppModule {}

const app = await NestFactory.create(AppModule, new FastifyAdapter(), {
  logger: ['warn', 'error', 'fatal'],
});
await app.listen(0, '127.0.0.1');
announce({ url: await app.getUrl() });
