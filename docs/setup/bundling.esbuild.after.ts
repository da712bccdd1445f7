await import(pathToFileURL(bundle).href)
if (statSync(bundle).size > 2_000_000) throw new Error('a bundle of 2 MB')
rmSync(server)
rmSync(bundle)
