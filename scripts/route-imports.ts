import { createServer, createServerModuleRunner } from 'vite'
import { ESModulesEvaluator, ssrDynamicImportKey } from 'vite/module-runner'

/** A route of TanStack Router, as far as it is asked here. */
interface Route {
  parentRoute?: Route
  options: { component?: { preload?(): Promise<unknown> }; loader?(): Promise<unknown> }
}

/**
 * What each screen imports beyond the page's own script, as paths from the root of the sources, by its address: its own
 * component, its layouts' and what their loaders ask for. The routes themselves are asked, with an `import()` that only
 * takes down what is wanted of it.
 */
export async function findRouteImports(): Promise<Map<string, string[]>> {
  let wanted = new Set<string>()
  const evaluator = new (class extends ESModulesEvaluator {
    override runInlinedModule(...[context, code]: Parameters<ESModulesEvaluator['runInlinedModule']>) {
      context[ssrDynamicImportKey] = async (address) => {
        wanted.add(address.slice(1))
        return {}
      }
      return super.runInlinedModule(context, code)
    }
  })()
  const server = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  const runner = createServerModuleRunner(server.environments.ssr, { hmr: false, evaluator })
  try {
    const { router } = await runner.import('/web/router.tsx')
    const own = new Map<Route, Set<string>>()
    const ask = async (route: Route) => {
      wanted = new Set()
      const { component, loader } = route.options
      // What they do with a module that is empty does not matter.
      await Promise.allSettled([component?.preload?.(), loader?.()])
      own.set(route, wanted)
    }
    const screens = new Map<string, string[]>()
    for (const [path, screen] of Object.entries<Route>(router.routesByPath)) {
      const imports: string[] = []
      for (let route: Route | undefined = screen; route; route = route.parentRoute) {
        if (!own.has(route)) await ask(route)
        imports.push(...own.get(route)!)
      }
      screens.set(path, imports)
    }
    return screens
  } finally {
    await runner.close()
    await server.close()
  }
}
