const API_VERSION = 'v2'
get('/api/v2/users', {
  headers: { 'Accept': 'application/json', 'API-Version': 'v2' }
})
