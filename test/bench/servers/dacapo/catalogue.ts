import { Injectable, type Type } from '@nestjs/common';
import { McpArgs, McpProperty, McpTool } from '@dacapo/mcp';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

const TOOLS_A_CLASS = 50;

/** Providers with so many tools, each with a DTO of its own. */
export function catalogue(tools: number): Type[] {
  const providers: Type[] = [];
  for (let first = 0; first < tools; first += TOOLS_A_CLASS) {
    const count = Math.min(TOOLS_A_CLASS, tools - first);
    providers.push(provider(Array.from({ length: count }, (_, index) => `tool_${first + index}`)));
  }
  return providers;
}

function provider(names: readonly string[]): Type {
  @Injectable()
  class CatalogueTools {}
  for (const name of names) {
    const method = {
      value: ({ words }: { words: string }) => words,
      writable: true,
      configurable: true,
    };
    Object.defineProperty(CatalogueTools.prototype, name, method);
    McpTool({ title: `Tool ${name}`, description: `Searches what ${name} keeps` })(
      CatalogueTools.prototype,
      name,
      method,
    );
    McpArgs()(CatalogueTools.prototype, name, 0);
    Reflect.defineMetadata('design:paramtypes', [dto()], CatalogueTools.prototype, name);
  }
  return CatalogueTools;
}

/** Compiled anew for each tool. */
function dto(): Type {
  class Search {
    @McpProperty({ description: 'Words to look for' })
    @IsString()
    @Length(1, 200)
    words!: string;

    @McpProperty({ description: 'How many to return' })
    @IsOptional()
    @IsInt()
    @Min(1)
    @Max(50)
    limit?: number;

    @IsOptional()
    @IsIn(['newest', 'oldest', 'best'])
    order?: string;
  }
  return Search;
}
