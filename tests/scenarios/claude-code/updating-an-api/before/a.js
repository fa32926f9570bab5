const API_VERSION = 'v1'
get('/api/v1/users', {
  headers: { 'Accept': 'application/json' }
})
