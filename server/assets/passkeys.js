// Passkeys on our own pages. Everything that decides is on the server; here a browser's answer is carried there.
const isSupported =
  'credentials' in navigator &&
  typeof window.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function' &&
  typeof window.PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

async function post(path, body, csrf) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(csrf && { 'x-csrf-token': csrf }) },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok)
    throw Object.assign(new Error(`${path} answered ${response.status}`), { next: answer.next })
  return answer
}

async function add(form) {
  const { csrf, done } = form.dataset
  const options = await post('/passkeys/creation-options', {}, csrf)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  const name = form.elements['passkey-name'].value
  await post('/passkeys', { name, response: credential.toJSON() }, csrf)
  return done
}

async function signIn(form) {
  const options = await post('/passkeys/request-options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  const { next } = await post('/passkeys/sign-in', {
    response: credential.toJSON(),
    next: form.elements.next?.value ?? '',
  })
  return next
}

const deeds = { add, 'sign-in': signIn }

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const say = text => {
    form.querySelector('.passkey-answer').textContent = text
  }
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (!isSupported) return say(form.dataset.unsupported)
    const button = form.querySelector('button')
    button.disabled = true
    say('')
    try {
      location.assign(await deeds[form.dataset.passkey](form))
    } catch (error) {
      if (error.next) return location.assign(error.next)
      say(form.dataset.refused)
      button.disabled = false
      button.focus()
    }
  })
}
