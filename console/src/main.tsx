import './app.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startMe } from './lib/api.ts'
import { startPreferences } from './lib/preferences.ts'
import { router } from './routes/router.tsx'

startMe()
startPreferences()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <RouterProvider router={router} />
    </CSPProvider>
  </StrictMode>,
)
